import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import styles from './button.module.css';

interface Look {
  /** `primary` for the one thing a view is for; `danger` for what cannot be undone. */
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly small?: boolean;
}

function classes({ look = 'secondary', small = false }: Look, icon: boolean, more = ''): string {
  return [styles.button, styles[look], small && styles.small, icon && styles.icon, more]
    .filter(Boolean)
    .join(' ');
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Its action is under way: it shows that, and ignores further clicks. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look, small, busy, children, className, onClick, ...rest }: ButtonProps) {
  const onlyOnce = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click comes before the busy state is rendered.
    if (busy || (busy === false && event.detail > 1)) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={classes({ look, small } as Look, false, className)}
      // Disabled, it would lose the focus.
      aria-disabled={busy || rest['aria-disabled']}
      onClick={onlyOnce}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A button with an icon alone; screen readers read its label, and pointing at it shows the label. */
export function IconButton({
  label,
  look = 'quiet',
  small,
  className,
  ...rest
}: ButtonProps & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      data-hint={label}
      {...rest}
      className={classes({ look, small } as Look, true, className)}
    />
  );
}

function Anchor({ look, small, className, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & Look) {
  return <a {...rest} className={classes({ look, small } as Look, false, className)} />;
}

/** A link to another view that looks like a button. */
export const ButtonLink = createLink(Anchor);
/** The same to an address outside of the application, or to a file. */
export const ButtonAnchor = Anchor;
