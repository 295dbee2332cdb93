import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { textsOf } from '../api/exact-search.ts';
import { meQuery } from '../api/queries.ts';
import type { Consent as Asked } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { NotProved } from '../design/not-proved.tsx';
import { Notice } from '../design/notice.tsx';
import { Loading } from '../design/states.tsx';
import { useFailureText } from '../text/failure.ts';
import { ConsentRefused, NotInstalled } from './consent-refused.tsx';
import { ConsentScopes } from './consent-scopes.tsx';
import { ConsentTeam } from './consent-team.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { Origin } from './origin.tsx';
import { consentQuery } from './queries.ts';
import { SignedInAs } from './signed-in-as.tsx';
import { useReturn } from './use-return.ts';

type Parameters = Readonly<Record<string, string>>;

/** An application asks to act for the user (RFC 6749 §4.1.1). Errors are shown here, without a redirect. */
export function Consent() {
  const parameters = textsOf(useSearch({ from: '/entry/oauth2/authorize' }));
  const query = useQuery(consentQuery(parameters));
  if (query.error) return <ConsentRefused error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  if (query.data.teams.length === 0) return <NotInstalled asked={query.data} />;
  return <Question asked={query.data} parameters={parameters} />;
}

function Question({ asked, parameters }: { asked: Asked; parameters: Parameters }) {
  const t = useTranslations('entry.consent');
  const failure = useFailureText();
  const { href } = useLocation();
  const { data: me } = useQuery(meQuery);
  const { application, redirect_host: host, native, teams } = asked;
  const [team, setTeam] = useState(asked.team ?? teams[0]?.id);
  const { scopes = [], agreed = [] } = teams.find(({ id }) => id === team) ?? {};
  const added = scopes.filter((scope) => !agreed.includes(scope));
  const hasGrown = added.length > 0 && added.length < scopes.length;
  const decide = useMutation({
    mutationFn: (decision: 'allow' | 'deny') =>
      callOne<{ url: string }>('/v1/oauth2/consent', {
        method: 'POST',
        body: { ...parameters, decision, ...(decision === 'allow' && { team, agreed: scopes }) },
      }),
    onSuccess: ({ url }) => location.assign(url),
  });
  useReturn(decide.reset);
  // The form stays disabled until the browser has left: a second answer would issue another code.
  const leaving = decide.isPending || decide.isSuccess;
  return (
    <EntryCard
      wide
      title={t('title', { application: application.name })}
      icon={<ApplicationIcon application={application} size="large" />}
      lead={<Origin application={application} />}
    >
      {application.description && <p className={styles.quote}>{application.description}</p>}
      {hasGrown && <Notice>{t('grown')}</Notice>}
      <ConsentScopes
        scopes={hasGrown ? added : scopes}
        before={hasGrown ? scopes.filter((scope) => agreed.includes(scope)) : []}
        linkPrefixes={application.link_prefixes}
      />
      <ConsentTeam teams={teams} team={team} onChange={setTeam} />
      {decide.error && <Notice kind="danger">{failure(decide.error)}</Notice>}
      <div className={styles.decision}>
        <Button look="primary" busy={leaving} onClick={() => decide.mutate('allow')}>
          {t('allow')}
        </Button>
        <Button aria-disabled={leaving} onClick={() => leaving || decide.mutate('deny')}>
          {t('deny')}
        </Button>
      </div>
      <p className={styles.soft} role="status">
        {native
          ? t(decide.isSuccess ? 'leavingNative' : 'goesToNative', { host, application: application.name })
          : t(decide.isSuccess ? 'leaving' : 'goesTo', { host })}{' '}
        {!native && <NotProved />}
      </p>
      {me && <SignedInAs me={me} back={href} />}
    </EntryCard>
  );
}
