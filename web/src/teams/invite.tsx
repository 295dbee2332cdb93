import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { refusal } from '../api/client.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select, TextArea } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { LocalLinks } from '../design/local-links.tsx';
import { Notice } from '../design/notice.tsx';
import { type Chosen, PeopleField } from '../design/people-field.tsx';
import { mailTextOf } from '../text/mailed.ts';
import { addressesIn, type Invited, inviteAll, MAX_ADDRESSES } from './inviting.ts';
import styles from './teams.module.css';

/** Invites people by their addresses, and then shows each one's link for the only time. */
export function InviteDialog({ open, onClose, team }: { open: boolean; onClose: () => void; team: string }) {
  const t = useTranslations('teams.invite');
  const [result, setResult] = useState<Invited>();
  const close = () => {
    setResult(undefined);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={t('title')} description={result ? undefined : t('lead')} wide>
      {result ? (
        <Result result={result} again={() => setResult(undefined)} close={close} />
      ) : (
        <>
          <InviteForm team={team} onDone={setResult} />
          <p className={styles.soft}>
            {t.rich('many', {
              link: (text) => (
                <Link to="/teams/$team/settings" params={{ team }}>
                  {text}
                </Link>
              ),
            })}
          </p>
        </>
      )}
    </Dialog>
  );
}

function InviteForm({ team, onDone }: { team: string; onDone: (result: Invited) => void }) {
  const t = useTranslations('teams');
  const [people, setPeople] = useState<readonly Chosen[]>([]);
  const send = async ({ emails = '', membership_type = '2' }: Record<string, string>) => {
    const chosen = people.filter(({ kind }) => kind === 'email').map(({ name }) => name);
    const users = people.filter(({ kind }) => kind === 'person');
    const addresses = addressesIn([...chosen, emails].join('\n'));
    const problem = problemOf(addresses.length + users.length);
    if (problem !== undefined) throw refusal(400, { code: 4002, reason: 'emails', message: problem });
    return inviteAll(team, { emails: addresses, users }, Number(membership_type));
  };
  const problemOf = (count: number) => {
    if (count === 0) return t('invite.noEmails');
    return count > MAX_ADDRESSES ? t('invite.tooMany', { max: MAX_ADDRESSES, count }) : undefined;
  };
  return (
    <Form send={send} onDone={onDone} submit={t('invite.submit')}>
      {({ errorOf }) => (
        <>
          <div className={styles.tight}>
            <PeopleField
              label={t('invite.people')}
              chosen={people}
              onChange={setPeople}
              addresses
              error={errorOf('users')}
            />
            <p className={styles.soft}>{t('invite.peopleHint')}</p>
          </div>
          <TextArea
            label={t('invite.emails')}
            name="emails"
            hint={t('invite.emailsHint')}
            placeholder={t('invite.placeholder')}
            spellCheck={false}
            error={errorOf('emails')}
          />
          <Select
            label={t('invite.role')}
            name="membership_type"
            defaultValue="2"
            hint={t('invite.roleHint')}
            error={errorOf('membership_type')}
          >
            <option value="2">{t('member')}</option>
            <option value="1">{t('admin')}</option>
          </Select>
        </>
      )}
    </Form>
  );
}

function Result(props: { result: Invited; again: () => void; close: () => void }) {
  const { invited, refused } = props.result;
  const t = useTranslations('teams.invite');
  const byLink = invited.filter(({ url }) => url !== null);
  return (
    <div className={styles.stack}>
      {invited.length > 0 && (
        <>
          <Notice kind="success">
            <strong>{t('invited', { count: invited.length })}</strong>
            {byLink.length > 0 && <p>{t(mailTextOf(byLink))}</p>}
          </Notice>
          <ul className={styles.stack}>
            {invited.map(({ id, email, url, mailed }) => (
              <li key={id} className={styles.tight}>
                {url === null ? t('inside', { name: email }) : mailed ? t('sentTo', { email }) : email}
                {url !== null && <Copyable text={url} name={t('linkFor', { email })} />}
              </li>
            ))}
          </ul>
          <LocalLinks links={invited} text={t('local')} />
        </>
      )}
      {refused.length > 0 && (
        <Notice kind="warning">
          <strong>{t('refused', { count: refused.length })}</strong>
          <ul className={styles.bullets}>
            {refused.map(({ email, why }) => (
              <li key={email}>
                <code>{email}</code> {t(why)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={styles.actions}>
        <Button onClick={props.again}>{t('again')}</Button>
        <Button look="primary" onClick={props.close}>
          {t('done')}
        </Button>
      </div>
    </div>
  );
}
