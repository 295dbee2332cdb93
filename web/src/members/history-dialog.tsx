import { useTranslations } from 'use-intl';
import type { Message } from '../api/types.ts';
import { Dialog } from '../design/dialog.tsx';
import { Time } from '../design/time.tsx';
import styles from './message.module.css';
import { MessageText } from './message-text.tsx';

/** What a message said before, the newest first: an edit corrects, it does not hide. */
export function HistoryDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.history');
  const edits = message.events.filter(({ type }) => type === 'edited').toReversed();
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')} wide>
      <ol className={styles.history}>
        {edits.map((edit) => (
          <li key={edit.created_at}>
            <p className={styles.soft}>
              {t.rich('until', { time: () => <Time at={edit.created_at} style="full" /> })}
            </p>
            <MessageText text={edit.text ?? ''} message={message} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
