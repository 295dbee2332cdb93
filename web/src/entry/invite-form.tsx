import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call, refusal } from '../api/client.ts';
import type { Invitation } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { TextArea } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { LocalLinks } from '../design/local-links.tsx';
import { mailTextOf } from '../text/mailed.ts';
import styles from './entry.module.css';

/**
 * Invites people to a team, and shows the links: mails may not be sent, and some are not read.
 * @param props.isOpen whether addresses can be entered; if not, a button leads to that
 */
export function InviteForm(props: { team: string; isOpen: boolean; onOpen: () => void; onMade: () => void }) {
  const { team, isOpen, onOpen, onMade } = props;
  const t = useTranslations('entry.welcome.people');
  const [made, setMade] = useState<readonly Invitation[]>([]);
  const [text, setText] = useState('');
  const send = async () => {
    const emails = text.split(/[\s,;]+/).filter((email) => email !== '');
    if (emails.length === 0) throw refusal(400, { code: 4002, reason: 'emails', message: t('none') });
    try {
      const body = { emails };
      return (await call<Invitation>(`/v1/teams/${team}/invitations`, { method: 'POST', body })).data;
    } catch (error) {
      throw aboutAddresses(error, (index, message) =>
        t(message.includes('member') ? 'member' : 'wrong', { email: emails[index] ?? '' }),
      );
    }
  };
  const onDone = (invitations: readonly Invitation[]) => {
    const renewed = new Set(invitations.map(({ id }) => id));
    setMade([...invitations, ...made.filter(({ id }) => !renewed.has(id))]);
    setText('');
    onMade();
  };
  if (!isOpen)
    return (
      <>
        <Links made={made} />
        <div>
          <Button onClick={onOpen}>{t('more')}</Button>
        </div>
      </>
    );
  return (
    <>
      <Links made={made} />
      <Form send={send} onDone={onDone} submit={t('submit')}>
        {({ errorOf }) => (
          <TextArea
            label={t('emails')}
            name="emails"
            hint={t('emailsHint')}
            rows={3}
            required
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            error={errorOf('emails')}
          />
        )}
      </Form>
    </>
  );
}

/** The server names a wrong address by its index; the user sees one text with all of them. */
function aboutAddresses(error: unknown, textOf: (index: number, message: string) => string): unknown {
  if (!(error instanceof ApiError)) return error;
  const texts = Object.entries(error.fields).flatMap(([field, why]) => {
    const place = /^emails\.(\d+)$/.exec(field)?.[1];
    return place === undefined ? [] : [textOf(Number(place), why)];
  });
  if (texts.length === 0) return error;
  const message = texts.join(' ');
  return refusal(error.status, { code: error.code, reason: 'emails', message });
}

function Links({ made }: { made: readonly Invitation[] }) {
  const t = useTranslations('entry.welcome.people');
  return (
    <div role="status" className={styles.stack}>
      {made.length > 0 && (
        <>
          <h2>{t('made', { count: made.length })}</h2>
          <p>{t(mailTextOf(made))}</p>
          <ul className={styles.stack}>
            {made.map(({ id, email, url, mailed }) => (
              <li key={id}>
                {mailed ? t('sentTo', { email }) : email}
                <Copyable text={url ?? ''} name={t('linkFor', { email })} />
              </li>
            ))}
          </ul>
          <LocalLinks links={made} text={t('local')} />
          <p className={styles.soft}>{t('again')}</p>
        </>
      )}
    </div>
  );
}
