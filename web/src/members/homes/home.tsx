import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, ExternalLink, Info, LayoutDashboard } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { newKey } from '../../api/keys.ts';
import { onLive } from '../../api/live.ts';
import { queryClient } from '../../api/queries.ts';
import type { Membership, ShownHome } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { OpenApplicationLink } from '../../design/open-application.tsx';
import { useTitle } from '../../design/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { installationsQuery } from '../../teams/queries.ts';
import { TeamFrame } from '../../teams/team-frame.tsx';
import { ApplicationBlocks } from '../blocks/application-blocks.tsx';
import { PressStatus } from '../blocks/press-status.tsx';
import { homeSurface } from '../blocks/surface.ts';
import { askAgain, dismiss, keyOf, NO_BLOCK, send, usePressAt } from '../state/presses.ts';
import styles from './home.module.css';
import { homeQuery } from './queries.ts';

/** What an application shows one person of a team, on a page of its own. */
export function Home() {
  const { team, application } = useParams({
    from: '/signed-in/teams/$team/applications/$application/home',
  });
  const query = useQuery(homeQuery(application, team));
  useLiveHome(application, team);
  return (
    <TeamFrame team={team} part="applications">
      {(own) => <Loaded query={query}>{(home) => <Shown own={own} home={home} />}</Loaded>}
    </TeamFrame>
  );
}

function useLiveHome(application: string, team: string): void {
  useEffect(() => {
    const { queryKey } = homeQuery(application, team);
    const refresh = () => void queryClient.invalidateQueries({ queryKey });
    const ends = [
      onLive('home', (of) => {
        if (of.application === application && of.team === team) refresh();
      }),
      onLive('ready', refresh),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [application, team]);
}

function Shown({ own, home }: { own: Membership; home: ShownHome }) {
  const t = useTranslations('blocks.home');
  const { application, blocks } = home;
  const team = own.team.id;
  const { name } = application;
  const surface = homeSurface(application.id, team);
  const opening = useOpening(application.id, team);
  const status = <Opening opening={opening} name={name} isEmpty={blocks === null} />;
  useTitle(`${name} · ${own.team.name}`);
  return (
    <section className={styles.home} aria-label={t('title', { name })}>
      <p>
        <Link to="/teams/$team/applications" params={{ team }} className={styles.back ?? ''}>
          <ArrowLeft size={16} aria-hidden />
          {t('back')}
        </Link>
      </p>
      <div className={styles.head}>
        <ApplicationIcon application={application} />
        <div className={styles.who}>
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <p className={styles.soft}>{t('inTeam', { team: own.team.name })}</p>
        </div>
        <Actions application={application.id} own={own} name={name} />
      </div>
      {blocks === null ? (
        <Empty icon={LayoutDashboard} title={t('nothing', { name })}>
          {status}
        </Empty>
      ) : (
        <>
          {status}
          <div className={styles.frame}>
            <ApplicationBlocks surface={surface} shown={{ ...home, blocks }} />
          </div>
        </>
      )}
    </section>
  );
}

/** Where else one gets to know the application, or uses it. */
function Actions({ application, own, name }: { application: string; own: Membership; name: string }) {
  const t = useTranslations('blocks.home');
  const common = useTranslations('teams.applications');
  const team = own.team.id;
  const { data: all = [] } = useQuery(installationsQuery(team));
  const installation = all.find((one) => one.application.id === application);
  return (
    <div className={styles.actions}>
      {installation?.status === 'active' && installation.application.openable && (
        <OpenApplicationLink
          application={application}
          team={team}
          small
          aria-label={common('openLabel', { name })}
        >
          <ExternalLink size={16} aria-hidden />
          {common('open')}
        </OpenApplicationLink>
      )}
      <ButtonLink
        to="/teams/$team/applications/$application"
        params={{ team, application }}
        small
        look="quiet"
        aria-label={t('details', { name })}
        data-hint={t('details', { name })}
      >
        <Info size={16} aria-hidden />
      </ButtonLink>
    </div>
  );
}

/** Tells the application, once for each visit, that its person is there. @returns how that goes */
function useOpening(application: string, team: string) {
  const { id, path, query } = homeSurface(application, team);
  const key = keyOf(id, NO_BLOCK, 'opening');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each home that is visited
  useEffect(() => {
    void send(key, newKey(), {
      what: 'opening',
      path: `${path}/openings`,
      query,
      body: () => ({}),
    });
    return () => dismiss(key);
  }, [key]);
  const press = usePressAt(key);
  return { press, again: () => press && askAgain(key, press) };
}

/** @param props.isEmpty whether nothing else is shown */
function Opening(props: { opening: ReturnType<typeof useOpening>; name: string; isEmpty: boolean }) {
  const { opening, name, isEmpty } = props;
  const t = useTranslations('blocks.home');
  const { press, again } = opening;
  const hasFailed = press?.status === 'failed' || press?.status === 'unanswered';
  if (!hasFailed && !isEmpty) return null;
  return (
    <div role="status" className={styles.status}>
      {isEmpty && !hasFailed && <p>{t('told')}</p>}
      {press && press.status !== 'done' && <PressStatus press={press} application={name} again={again} />}
    </div>
  );
}
