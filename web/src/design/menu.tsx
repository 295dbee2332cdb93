import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode, RefObject } from 'react';
import styles from './menu.module.css';

/** @param props.trigger the button that opens it */
export function Menu({
  trigger,
  children,
}: {
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
}) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.layer} sideOffset={4} align="end">
          <BaseMenu.Popup className={styles.menu}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** The same, open, at a button of which there are many: it is made when it is needed. */
export function MenuAt(props: {
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { anchor, onClose, children } = props;
  return (
    <BaseMenu.Root modal={false} open onOpenChange={(open) => !open && onClose()}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} className={styles.layer} sideOffset={4} align="end">
          <BaseMenu.Popup className={styles.menu} finalFocus={anchor}>
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export function MenuItem(props: {
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect?: () => void;
  /** A link to go to instead. */
  link?: ReactElement<Record<string, unknown>>;
  children: ReactNode;
}) {
  const { icon, danger, disabled = false, onSelect, link, children } = props;
  return (
    <BaseMenu.Item
      className={`${styles.item} ${danger ? styles.danger : ''}`}
      disabled={disabled}
      {...(onSelect && { onClick: onSelect })}
      {...(link && { render: link })}
    >
      {icon}
      {children}
    </BaseMenu.Item>
  );
}

export const MenuSeparator = () => <BaseMenu.Separator className={styles.separator} />;
