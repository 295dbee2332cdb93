import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Loaded } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { Blocks } from '../blocks/on-demand.tsx';
import { versionsQuery } from '../state/message-queries.ts';
import { MessageText } from '../text/message-text.tsx';
import styles from './message.module.css';

/** A message's earlier versions, newest first: an edit hides nothing. */
export function HistoryDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.history');
  const query = useQuery(versionsQuery(message));
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')} wide>
      <Loaded query={query} rows={2}>
        {(versions) => (
          <ol className={styles.history}>
            {versions.map(({ replaced_at, text, format, blocks }, at) => (
              <li key={replaced_at}>
                <p className={styles.soft}>
                  {t.rich('until', { time: () => <Time at={replaced_at} style="full" /> })}
                </p>
                {isSame({ text, format, blocks }, versions[at - 1] ?? message) ? (
                  <p className={styles.soft}>{t('files')}</p>
                ) : blocks ? (
                  <Blocks message={{ ...message, text, format }} blocks={blocks} isPast />
                ) : (
                  <MessageText text={text} message={{ ...message, format }} />
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Dialog>
  );
}

type Version = Pick<Message, 'text' | 'format' | 'blocks'>;

/** Whether an edit left the text as it was: files are not kept. */
const isSame = (one: Version, next: Version) =>
  one.text === next.text &&
  one.format === next.format &&
  JSON.stringify(one.blocks) === JSON.stringify(next.blocks);
