import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { membershipsQuery, personQuery, serverQuery } from '../api/queries.ts';
import type { UserProfile } from '../api/types.ts';
import { useWhereabouts } from '../api/whereabouts.ts';
import { Avatar, TeamIcon } from '../design/avatar.tsx';
import { ButtonLink } from '../design/button.tsx';
import { NotProved } from '../design/not-proved.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge, Card, PageBody } from '../design/page.tsx';
import { ApplicationMark, nameOf } from '../design/person.tsx';
import { Loaded } from '../design/states.tsx';
import { WhereaboutsSign } from '../design/whereabouts-sign.tsx';
import styles from './account.module.css';
import { commonTeamsQuery, useMe } from './queries.ts';

/** A person's public profile, with a link to write to them. */
export function Person() {
  const t = useTranslations('account.person');
  const home = useTranslations('entry')('home');
  const { user } = useParams({ from: '/signed-in/people/$user' });
  const query = useQuery(personQuery(user));
  // For an unknown user the API answers 400.
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) {
    return (
      <PageBody title={t('gone')} lead={t('goneText')}>
        <div>
          <ButtonLink to="/inbox">{home}</ButtonLink>
        </div>
      </PageBody>
    );
  }
  return <Loaded query={query}>{(person) => <Profile person={person} />}</Loaded>;
}

function Profile({ person }: { person: UserProfile }) {
  const t = useTranslations('account.person');
  const me = useMe();
  const common = useQuery(commonTeamsQuery(person.id));
  const isMe = me.id === person.id;
  const canWrite = person.active && !person.is_application && (common.data?.length ?? 0) > 0;
  return (
    <PageBody
      title={nameOf(person)}
      actions={
        isMe ? (
          <ButtonLink to="/settings/profile">{t('edit')}</ButtonLink>
        ) : (
          canWrite && (
            <ButtonLink look="primary" to="/direct/$people" params={{ people: person.id }}>
              {t('write', { name: person.first_name })}
            </ButtonLink>
          )
        )
      }
    >
      {isMe && <Notice>{t('own')}</Notice>}
      <Card>
        <div className={styles.portrait}>
          <Avatar person={person} size="large" />
          <div>
            {person.title !== '' && <p className={styles.role}>{person.title}</p>}
            <p>
              {person.is_application ? (
                <ApplicationMark author={person} />
              ) : (
                <Badge kind={person.online ? 'success' : 'neutral'}>
                  {t(person.active ? (person.online ? 'online' : 'offline') : 'left')}
                </Badge>
              )}{' '}
              <WhereaboutsSign person={person} />
              <StatusText person={person} />
            </p>
          </div>
        </div>
        {!person.active && <Notice>{t('leftText')}</Notice>}
        {!person.is_application && <PersonFacts person={person} />}
      </Card>
      {!isMe && !person.is_application && (
        <Card title={t('common')}>
          <Loaded query={common} rows={2}>
            {(ids) => <CommonTeams ids={ids} />}
          </Loaded>
        </Card>
      )}
    </PageBody>
  );
}

/** Deleted accounts have neither. */
function PersonFacts({ person }: { person: UserProfile }) {
  const { username, email, email_verified, time_zone } = person;
  const t = useTranslations('account.person');
  const { data: server } = useQuery(serverQuery);
  if (username === '' && email === '') return null;
  return (
    <dl className={styles.facts}>
      {username !== '' && (
        <>
          <dt>{t('username')}</dt>
          <dd>
            <bdi>@{username}</bdi>
          </dd>
        </>
      )}
      {email !== '' && (
        <>
          <dt>{t('email')}</dt>
          <dd>
            <a href={`mailto:${email}`}>{email}</a> {server?.mail && !email_verified && <NotProved />}
          </dd>
        </>
      )}
      {time_zone !== undefined && (
        <>
          <dt>{t('localTime')}</dt>
          <dd>
            <LocalTime zone={time_zone} />
          </dd>
        </>
      )}
    </dl>
  );
}

const MINUTE_MS = 60_000;

function LocalTime({ zone }: { zone: string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE_MS });
  return (
    <>
      {format.dateTime(now, { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone: zone })}{' '}
      <bdi className={styles.soft}>{zone}</bdi>
    </>
  );
}

function CommonTeams({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('account.person');
  const memberships = useQuery(membershipsQuery);
  if (ids.length === 0) return <p className={styles.soft}>{t('noCommon')}</p>;
  return (
    <Loaded query={memberships} rows={2}>
      {(all) => (
        <ul className={styles.teams}>
          {all
            .filter(({ team }) => ids.includes(team.id))
            .map(({ team }) => (
              <li key={team.id} className={styles.line}>
                <TeamIcon team={team} />
                <Link to="/teams/$team" params={{ team: team.id }}>
                  {team.name}
                </Link>
              </li>
            ))}
        </ul>
      )}
    </Loaded>
  );
}

function StatusText({ person }: { person: UserProfile }) {
  const { status } = useWhereabouts(person);
  return status?.text ? <bdi> {status.text}</bdi> : null;
}
