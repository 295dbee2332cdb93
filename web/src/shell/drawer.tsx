import { Dialog } from '@base-ui/react/dialog';
import { useTranslations } from 'use-intl';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';

/** On a narrow screen, the navigation above the view. */
export function Drawer({ onClose, onJump }: { onClose: () => void; onJump: () => void }) {
  const t = useTranslations('shell');
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.drawer} aria-label={t('menu')}>
          <Navigation onJump={onJump} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
