import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, meQuery, personQuery } from '../../api/queries.ts';
import type { SessionUser } from '../../api/types.ts';
import { PageBody } from '../../design/page.tsx';
import { type Chosen, PeopleField } from '../../design/people-field.tsx';
import { nameOf } from '../../design/person.tsx';
import { Composer, type ComposerHandle } from '../compose/composer.tsx';
import { AskedAt } from '../message/asked-at.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import { type Unsent, useRefused } from '../state/outbox.ts';
import { peopleKey } from '../state/people-key.ts';
import { targetOf } from '../state/target.ts';
import { MessageViewProvider } from '../state/view-context.tsx';
import styles from './compose.module.css';
import { useView } from './use-view.ts';

/** A new message to a team or to people. The URL may name one: /compose?to=… or ?team=… */
export function Compose() {
  const t = useTranslations('members.compose');
  const { to, team } = useSearch({ from: '/signed-in/compose' });
  const { data: me } = useSuspenseQuery(meQuery);
  const given = useGiven(to, team);
  const view = useView(() => undefined);
  if (!me || given === undefined) return <PageBody title={t('title')}>{null}</PageBody>;
  return (
    <MessageViewProvider value={view}>
      <PageBody title={t('title')} lead={t('lead')}>
        <ComposeForm key={`${to}.${team}`} me={me} given={given} />
      </PageBody>
    </MessageViewProvider>
  );
}

/** @returns undefined while the names are being loaded */
function useGiven(to: string | undefined, teamId: string | undefined): Chosen[] | undefined {
  const person = useQuery({ ...personQuery(to ?? ''), enabled: to !== undefined });
  const memberships = useQuery(membershipsQuery);
  if (to !== undefined) {
    if (person.isPending) return undefined;
    return person.data ? [{ kind: 'person', id: to, name: nameOf(person.data) }] : [];
  }
  if (teamId === undefined) return [];
  const team = memberships.data?.find((membership) => membership.team.id === teamId)?.team;
  if (memberships.isPending) return undefined;
  return team ? [{ kind: 'team', id: team.id, name: team.name, team }] : [];
}

function ComposeForm({ me, given }: { me: SessionUser; given: Chosen[] }) {
  const t = useTranslations('members.compose');
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly Chosen[]>(given);
  const [error, setError] = useState<string>();
  const composer = useRef<ComposerHandle>(null);
  const refused = useRefused().filter(({ target }) => target.kind === 'people');
  const target = targetOf(chosen, me.id);
  const change = (next: readonly Chosen[]) => {
    setError(undefined);
    // A message goes to one team or to people; the last choice wins.
    const last = next.at(-1);
    setChosen(last?.kind === 'team' ? [last] : next.filter(({ kind }) => kind !== 'team'));
  };
  const takeBack = (entry: Unsent) => composer.current?.takeBack(entry);
  const onPosted = () => {
    if (target?.kind === 'team') void navigate({ to: '/teams/$team', params: { team: target.id } });
    else if (target?.kind === 'people' && target.emails.length === 0)
      void navigate({ to: '/direct/$people', params: { people: peopleKey(target.ids, me.id) } });
    else void navigate({ to: '/direct' });
  };
  return (
    <div className={styles.form}>
      {refused.map((entry) => (
        <UnsentMessage key={entry.key} entry={entry} grouped={false} edit={takeBack} />
      ))}
      <PeopleField
        label={t('to')}
        chosen={chosen}
        onChange={change}
        teams
        error={error}
        autoFocus={given.length === 0}
      />
      {target?.kind === 'team' && <AskedAt place={target.id} leave={() => composer.current?.focus()} />}
      <Composer
        target={target}
        draft="compose"
        label={t('text')}
        placeholder={t('placeholder')}
        handle={composer}
        onPosted={onPosted}
        onNobody={() => setError(t('nobody'))}
        tall
      />
    </div>
  );
}
