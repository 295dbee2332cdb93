import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLiveStatus } from '../../api/live.ts';
import { Avatar } from '../../design/avatar.tsx';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { nameOf } from '../../design/person.tsx';
import { discard, isTooOld, sendAgain, type Unsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import { Attachments, asStored } from './attachments.tsx';
import styles from './message.module.css';
import { MessageText } from './message-text.tsx';

/** A message that has not been sent yet, in the place where it will stand. */
export function UnsentMessage(props: {
  entry: Unsent;
  grouped: boolean;
  /** Puts its text back into the field. */
  edit?: (entry: Unsent) => void;
}) {
  const { entry, grouped, edit } = props;
  const t = useTranslations('members.unsent');
  const { me } = useMessageView();
  const lost = useLiveStatus() === 'lost' || !navigator.onLine;
  const late = useLate(entry.written);
  return (
    <div className={`${styles.message} ${grouped ? styles.grouped : ''}`}>
      {grouped ? <span /> : <Avatar person={me} />}
      <div>
        {!grouped && (
          <p className={styles.head}>
            <span className={styles.author}>{nameOf(me)}</span>
          </p>
        )}
        <div className={styles.unsent}>
          {entry.text !== '' && <MessageText text={entry.text} message={{ mentions: [], via_app: null }} />}
          <Attachments items={entry.files.map(asStored)} />
        </div>
        {entry.refused === undefined ? (
          <p className={late ? styles.unsentFoot : 'visually-hidden'}>
            <Clock size={14} aria-hidden />
            {t(lost ? 'waiting' : 'sending')}
          </p>
        ) : (
          <Refused entry={entry} {...(edit && { edit })} />
        )}
      </div>
    </div>
  );
}

/** Most messages arrive at once; the delay avoids a flash of the status. */
const LATE_MS = 1500;

function useLate(written: number): boolean {
  const [late, setLate] = useState(Date.now() - written > LATE_MS);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), written + LATE_MS - Date.now());
    return () => clearTimeout(timer);
  }, [written]);
  return late;
}

function Refused({ entry, edit }: { entry: Unsent; edit?: (entry: Unsent) => void }) {
  const t = useTranslations('members.unsent');
  const common = useTranslations('common');
  return (
    <div className={styles.refused}>
      <Notice kind="danger">
        {isTooOld(entry) ? t('tooOld') : t('refused', { reason: entry.refused ?? '' })}
      </Notice>
      <div className={styles.unsentFoot}>
        <Button small onClick={() => sendAgain(entry)}>
          {common('retry')}
        </Button>
        {edit && (
          <Button
            small
            look="quiet"
            onClick={() => {
              edit(entry);
              discard(entry);
            }}
          >
            {common('edit')}
          </Button>
        )}
        <Button small look="quiet" onClick={() => discard(entry)}>
          {t('discard')}
        </Button>
      </div>
    </div>
  );
}
