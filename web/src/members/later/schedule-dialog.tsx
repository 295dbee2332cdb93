import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { newKey } from '../../api/keys.ts';
import { personQuery } from '../../api/queries.ts';
import type { ScheduledMessage } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { tell } from '../../design/toast.tsx';
import { reschedule, schedule } from '../state/scheduled.ts';
import styles from './later.module.css';
import { ownZone, TimeChoice, useTimeText, wallTime } from './time-choice.tsx';
import { wallTimeOf } from './typed-time.ts';

/** Another body is another request. */
export function useKeyOf(): (body: unknown) => string {
  const last = useRef({ sent: '', key: '' });
  return (body) => {
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: newKey() };
    return last.current.key;
  };
}

/** Gives a message that was just written a time. @param props.message as it is posted */
export function ScheduleDialog(props: {
  message: object & {
    readonly text: string;
    readonly addressed_users?: { readonly ids?: readonly string[] };
  };
  onClose: () => void;
  onDone: () => void;
}) {
  const { message, onClose, onDone } = props;
  const t = useTranslations('members.later');
  const timeText = useTimeText();
  const [local, setLocal] = useState('');
  const [person, ...others] = message.addressed_users?.ids ?? [];
  const keyOf = useKeyOf();
  const send = () => {
    const at = wallTime(local);
    return schedule(at, message, keyOf([at, message]));
  };
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')}>
      <Form
        send={send}
        onDone={() => {
          tell(t('scheduled', { time: timeText(local) }));
          onDone();
          onClose();
        }}
        submit={t('schedule')}
      >
        {({ errorOf }) => (
          <>
            {message.text !== '' && (
              <p className={styles.words} dir="auto">
                {message.text}
              </p>
            )}
            <TimeChoice
              local={local}
              choose={setLocal}
              error={errorOf('send_at.local') ?? errorOf('send_at.zone')}
            />
            {local !== '' && person !== undefined && others.length === 0 && (
              <TheirTime user={person} local={local} />
            )}
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** What time it is then for the one person who gets it, where that is another time. */
function TheirTime({ user, local }: { user: string; local: string }) {
  const t = useTranslations('members.later');
  const format = useFormatter();
  const { data: person } = useQuery(personQuery(user));
  const zone = person?.time_zone;
  if (!person || zone === undefined || zone === ownZone()) return null;
  const time = format.dateTime(new Date(local), {
    ...{ weekday: 'long', hour: 'numeric', minute: '2-digit', timeZone: zone },
  });
  return <p className={styles.theirs}>{t('theirTime', { name: person.first_name, time })}</p>;
}

/** Changes the text and the time of one that is scheduled. */
export function RescheduleDialog({ onClose, ...props }: { row: ScheduledMessage; onClose: () => void }) {
  const t = useTranslations('members.later');
  const timeText = useTimeText();
  // As it was when this was opened: what another window changes meanwhile is no change of this one.
  const [row] = useState(props.row);
  const message = row.message as { readonly text?: unknown };
  const before = typeof message.text === 'string' ? message.text : '';
  // On the reader's own wall: it may have been given on another.
  const begun = row.status === 'pending' ? wallTimeOf(new Date(row.at * 1000)) : '';
  const [local, setLocal] = useState(begun);
  const send = ({ text = '' }: Record<string, string>) => {
    return reschedule(row.id, {
      ...(local !== begun && { send_at: wallTime(local) }),
      ...(text !== before && { message: { ...row.message, text } }),
    });
  };
  return (
    <Dialog open onClose={onClose} title={t('change')}>
      <Form
        send={send}
        onDone={() => {
          tell(t('scheduled', { time: timeText(local) }));
          onClose();
        }}
        submit={t('save')}
      >
        {({ errorOf }) => (
          <>
            <TextArea label={t('text')} name="text" rows={3} defaultValue={before} error={errorOf('text')} />
            <TimeChoice
              local={local}
              choose={setLocal}
              error={errorOf('send_at.local') ?? errorOf('send_at.zone')}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
