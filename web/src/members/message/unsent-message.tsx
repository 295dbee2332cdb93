import { Clock } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLiveStatus } from '../../api/live.ts';
import { Avatar } from '../../design/avatar.tsx';
import { Button } from '../../design/button.tsx';
import { ClipboardButton } from '../../design/copy.tsx';
import { Notice } from '../../design/notice.tsx';
import { nameOf } from '../../design/person.tsx';
import { useFailureText } from '../../text/failure.ts';
import {
  discard,
  isTooOld,
  refusalOf,
  release,
  sendAgain,
  toTheOthers,
  type Unsent,
  unreachable,
} from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import { MessageText } from '../text/message-text.tsx';
import { Attachments, asStored } from './attachments.tsx';
import { FoldedText, isLong } from './folded-text.tsx';
import styles from './message.module.css';
import { Names } from './person-names.tsx';
import { Quotes } from './quotes.tsx';

/** A message that has not been sent yet, in the place where it will stand. */
export function UnsentMessage(props: {
  entry: Unsent;
  grouped: boolean;
  /** Folds a long text. */
  folds?: boolean;
  /** Puts its text back into the field. */
  edit?: (entry: Unsent) => void;
}) {
  const { entry, grouped, folds = false, edit } = props;
  const t = useTranslations('members.unsent');
  const { me } = useMessageView();
  const lost = useLiveStatus() === 'lost' || !navigator.onLine;
  const late = useLate(entry.written);
  const shown = useRef<HTMLDivElement>(null);
  return (
    <div className={`${styles.message} ${grouped ? styles.grouped : ''}`}>
      {grouped ? <span /> : <Avatar person={me} />}
      <div>
        {!grouped && (
          <p className={styles.head}>
            <span className={styles.author}>{nameOf(me)}</span>
          </p>
        )}
        <div ref={shown} className={styles.unsent}>
          {entry.text !== '' && (
            <FoldedText id={entry.key} isLong={folds && isLong(entry.text)}>
              <MessageText text={entry.text} message={{ mentions: [], via_app: null }} />
            </FoldedText>
          )}
          <Attachments items={entry.files.map(asStored)} />
          <Quotes text={entry.text} />
        </div>
        {entry.refused === undefined ? (
          <p className={late ? styles.unsentFoot : 'visually-hidden'}>
            <Clock size={14} aria-hidden />
            {t(lost ? 'waiting' : 'sending')}
          </p>
        ) : (
          <Refused entry={entry} shown={shown} {...(edit && { edit })} />
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

function Refused(props: {
  entry: Unsent;
  shown: RefObject<HTMLElement | null>;
  edit?: (entry: Unsent) => void;
}) {
  const { entry, shown, edit } = props;
  const others = unreachable(entry).length > 0 ? toTheOthers(entry) : undefined;
  const t = useTranslations('members.unsent');
  const common = useTranslations('common');
  return (
    <div className={styles.refused}>
      <Notice kind="danger">
        <Reason entry={entry} />
      </Notice>
      <div className={styles.unsentFoot}>
        {others ? (
          <Button small onClick={() => sendAgain(others)}>
            {t('toOthers')}
          </Button>
        ) : (
          <Button small onClick={() => sendAgain(entry)}>
            {common('retry')}
          </Button>
        )}
        {edit && (
          <Button
            small
            look="quiet"
            onClick={() => {
              edit(entry);
              release(entry);
            }}
          >
            {common('edit')}
          </Button>
        )}
        {!edit && entry.text !== '' && <ClipboardButton text={entry.text} shown={shown} />}
        <Button small look="quiet" onClick={() => discard(entry)}>
          {common('discard')}
        </Button>
      </div>
    </div>
  );
}

/** The fault, and the step to take. */
function Reason({ entry }: { entry: Unsent }) {
  const t = useTranslations('members.unsent');
  const failure = useFailureText();
  const gone = unreachable(entry);
  if (isTooOld(entry)) return t('tooOld');
  if (entry.lost !== undefined) return t('lostFile', { name: entry.lost });
  if (gone.length > 0)
    return t.rich('unreachable', { count: gone.length, people: () => <Unreached who={gone} /> });
  const refusal = refusalOf(entry);
  return t('refused', { reason: refusal ? failure(refusal) : String(entry.refused) });
}

/** @param props.who ids of people, and email addresses */
function Unreached({ who }: { who: readonly string[] }) {
  const people = who.filter((one) => !one.includes('@'));
  const addresses = who.filter((one) => one.includes('@'));
  return (
    <>
      {people.length > 0 && <Names ids={people} />}
      {people.length > 0 && addresses.length > 0 && ', '}
      {addresses.join(', ')}
    </>
  );
}
