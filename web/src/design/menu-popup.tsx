import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check, ChevronRight } from 'lucide-react';
import {
  type CSSProperties,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
} from 'react';
import styles from './menu.module.css';

/** Where a menu is a sheet at the end of the screen, near the thumb; elsewhere it stands at its button. */
const SHEET = '(max-width: 52rem) and (pointer: coarse)';
const AT_END: CSSProperties = { position: 'fixed', inset: 'auto 0 0', width: 'auto', transform: 'none' };
const placeOf = () => (matchMedia(SHEET).matches ? { style: AT_END } : {});

/** The open menu of menu.tsx. */
export function Popup(props: {
  anchor: RefObject<HTMLElement | null>;
  /** Where a finger asked for it; else it stands at its button. */
  at?: { readonly x: number; readonly y: number } | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const { anchor, at, onClose, children } = props;
  // The focus returns, unless the chosen action has moved it, as to a text field.
  useLayoutEffect(() => {
    const giveBack = () => document.activeElement === document.body && anchor.current?.focus();
    return () => queueMicrotask(giveBack);
  }, [anchor]);
  const onOpenChange: BaseMenu.Root.Props['onOpenChange'] = (open, { reason, event }) => {
    // Its button closes it: if it were closed before the click, the click would open it again.
    const nodes = [event.target, (event as FocusEvent).relatedTarget];
    const atButton = nodes.some((node) => node instanceof Node && anchor.current?.contains(node));
    if (!open && !(atButton && (reason === 'outside-press' || reason === 'focus-out'))) onClose();
  };
  return (
    <BaseMenu.Root modal={false} open onOpenChange={onOpenChange}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          anchor={at ? { getBoundingClientRect: () => new DOMRect(at.x, at.y) } : anchor}
          className={styles.layer}
          sideOffset={4}
          collisionPadding={8}
          align={at ? 'center' : 'end'}
          {...placeOf()}
        >
          <BaseMenu.Popup className={styles.menu} finalFocus={false}>
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export function Item(props: {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  /** By whose beginning it is found, where something else stands before its name. */
  typed?: string;
  /** The key that does the same outside of the menu, by its name. */
  shortcut?: string;
  onSelect?: () => void;
  /** A link, in place of an action. */
  link?: ReactElement<Record<string, unknown>>;
  children: ReactNode;
}) {
  const { icon, danger, disabled = false, typed, shortcut, onSelect, link, children } = props;
  return (
    <BaseMenu.Item
      className={`${styles.item} ${danger ? styles.danger : ''}`}
      disabled={disabled}
      {...(typed !== undefined && { label: typed })}
      {...(onSelect && { onClick: onSelect })}
      {...(link && { render: link })}
    >
      {icon}
      {children}
      {shortcut !== undefined && (
        <span className={styles.end} aria-hidden>
          <kbd>{shortcut}</kbd>
        </span>
      )}
    </BaseMenu.Item>
  );
}

/** A small item beside others in one row, as an emoji. */
export function RowItem(props: {
  label: string;
  pressed?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  const { label, pressed, onSelect, children } = props;
  return (
    <BaseMenu.Item
      className={styles.rowItem}
      label={label}
      aria-label={label}
      title={label}
      data-pressed={pressed || undefined}
      onClick={onSelect}
    >
      {children}
    </BaseMenu.Item>
  );
}

export const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>;

/** An item that opens a menu of its own beside it. */
export function Sub({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <BaseMenu.SubmenuRoot>
      <BaseMenu.SubmenuTrigger className={styles.item}>
        {icon}
        {label}
        <ChevronRight size={16} className={styles.end} aria-hidden />
      </BaseMenu.SubmenuTrigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.layer} collisionPadding={8} alignOffset={-4} {...placeOf()}>
          <BaseMenu.Popup className={styles.menu}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.SubmenuRoot>
  );
}

/** One of several, of which one is chosen. */
export function Choices<Value extends string>(props: {
  label: string;
  chosen: Value | undefined;
  onChoose: (value: Value) => void;
  choices: readonly { readonly value: Value; readonly label: string }[];
}) {
  const { label, chosen, onChoose, choices } = props;
  return (
    <BaseMenu.RadioGroup value={chosen ?? null} onValueChange={onChoose}>
      <BaseMenu.GroupLabel className={styles.label}>{label}</BaseMenu.GroupLabel>
      {choices.map((choice) => (
        <BaseMenu.RadioItem key={choice.value} value={choice.value} className={styles.item} closeOnClick>
          <span className={styles.check}>
            <BaseMenu.RadioItemIndicator>
              <Check size={16} aria-hidden />
            </BaseMenu.RadioItemIndicator>
          </span>
          {choice.label}
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  );
}

/** Items of one kind, under its name. */
export const Titled = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <BaseMenu.Group>
    <BaseMenu.GroupLabel className={styles.label}>{label}</BaseMenu.GroupLabel>
    {children}
  </BaseMenu.Group>
);

export const Separator = () => <BaseMenu.Separator className={styles.separator} />;
