import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import styles from './message.module.css';
import { MessageText } from './message-text.tsx';

/** A message's text where a finger can select a part of it: in the stream, a resting finger opens the menu. */
export function SelectDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.actions');
  return (
    <Dialog open onClose={onClose} title={t('selectTitle')} description={t('selectHint')}>
      <div className={styles.selectable}>
        <MessageText text={message.text} message={message} />
      </div>
    </Dialog>
  );
}
