import { Dialog } from '@base-ui/react/dialog';
import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';

/** On a narrow screen, the navigation above the view. */
export function Drawer({ onClose, onJump }: { onClose: () => void; onJump: () => void }) {
  const t = useTranslations('shell');
  // A link to the present page does not change the URL, which would close it.
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) onClose();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.drawer} aria-label={t('menu')} onClick={onClick}>
          <Navigation onJump={onJump} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
