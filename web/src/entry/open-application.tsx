import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useParams, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import type { Opening } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button, ButtonLink } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Failure, Loading } from '../design/states.tsx';
import { useFailureText } from '../text/failure.ts';
import { ConsentScopes } from './consent-scopes.tsx';
import { ConsentTeam } from './consent-team.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { Origin } from './origin.tsx';
import { openingQuery } from './queries.ts';
import { SignedInAs } from './signed-in-as.tsx';
import { useReturn } from './use-return.ts';

/** Asks before an application is opened: for the first time, when it wants more, or when a link led here. */
export function OpenApplication() {
  const { application } = useParams({ from: '/entry/applications/$application/open' });
  const { team } = useSearch({ from: '/entry/applications/$application/open' });
  const query = useQuery(openingQuery(application, team));
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  return <Question asked={query.data} />;
}

function Question({ asked }: { asked: Opening }) {
  const t = useTranslations('entry.consent');
  const failure = useFailureText();
  const { href } = useLocation();
  const { data: me } = useQuery(meQuery);
  const { application, redirect_host: host, team, scopes, agreed, opened } = asked;
  const added = scopes.filter((scope) => !agreed.includes(scope));
  const open = useMutation({
    mutationFn: () =>
      callOne<{ url: string }>(`/v1/applications/${application.id}/opening`, {
        method: 'POST',
        body: { team: team.id, scopes },
      }),
    onSuccess: ({ url }) => location.assign(url),
  });
  useReturn(open.reset);
  return (
    <EntryCard
      wide
      title={t(added.length > 0 ? 'title' : 'openTitle', { application: application.name })}
      icon={<ApplicationIcon application={application} size="large" />}
      lead={<Origin application={application} />}
    >
      {application.description && <p className={styles.quote}>{application.description}</p>}
      {added.length === 0 && (
        <Notice>{t(opened ? 'openWhy' : 'openFirst', { application: application.name })}</Notice>
      )}
      {added.length > 0 && agreed.length > 0 && <Notice>{t('grown')}</Notice>}
      <ConsentScopes
        scopes={added.length > 0 ? added : scopes}
        before={added.length > 0 ? agreed : []}
        linkPrefixes={application.link_prefixes}
      />
      <ConsentTeam teams={[team]} team={team.id} onChange={() => undefined} />
      {open.error && <Notice kind="danger">{failure(open.error)}</Notice>}
      <div className={styles.decision}>
        <Button look="primary" busy={open.isPending || open.isSuccess} onClick={() => open.mutate()}>
          {t(added.length > 0 ? 'allowAndOpen' : 'open')}
        </Button>
        <ButtonLink to="/inbox">{t('notNow')}</ButtonLink>
      </div>
      <p className={styles.soft} role="status">
        {t(open.isSuccess ? 'leaving' : 'goesTo', { host })}
      </p>
      {me && <SignedInAs me={me} back={href} />}
    </EntryCard>
  );
}
