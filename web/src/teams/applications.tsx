import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Blocks } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { hostOf } from '../api/host.ts';
import { hasWords } from '../api/matching.ts';
import type { Installation, Membership, PublicApplication } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { AddressField } from '../design/field.tsx';
import { List } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { Admins } from './admins.tsx';
import { Commands } from './commands.tsx';
import { InstallDialog } from './install.tsx';
import { InstallationRow } from './installation-row.tsx';
import { type Installable, installableQuery, installationsQuery } from './queries.ts';
import { administers, TeamFrame } from './team-frame.tsx';
import styles from './teams.module.css';
import { Webhooks } from './webhooks.tsx';

const route = { from: '/signed-in/teams/$team/applications' } as const;

export function TeamApplications() {
  const { team } = useParams(route);
  return (
    <TeamFrame team={team} part="applications">
      {(own) => <Applications own={own} />}
    </TeamFrame>
  );
}

function Applications({ own }: { own: Membership }) {
  const { team } = own;
  const installations = useQuery(installationsQuery(team.id));
  const { install } = useSearch(route);
  const navigate = useNavigate({ from: '/teams/$team/applications' });
  const ask = (id?: string) =>
    void navigate({
      search: ({ install: _, ...rest }) => (id === undefined ? rest : { ...rest, install: id }),
    });
  const isAdmin = administers(own);
  return (
    <Loaded query={installations}>
      {(all) => (
        <>
          <Installed own={own} installations={all} retry={ask} />
          {isAdmin && <Commands team={team.id} />}
          {isAdmin && <Webhooks team={team} />}
          {isAdmin ? <More installed={all} ask={ask} /> : <Admins team={team.id} />}
          {isAdmin && install !== undefined && (
            <InstallDialog key={install} own={own} id={install} onClose={() => ask()} />
          )}
        </>
      )}
    </Loaded>
  );
}

function Installed(props: {
  own: Membership;
  installations: Installation[];
  retry: (application: string) => void;
}) {
  const { own, installations, retry } = props;
  const t = useTranslations('teams.applications');
  if (installations.length === 0) {
    return (
      <Empty icon={Blocks} title={t('none')}>
        <p>{t(administers(own) ? 'noneAdmin' : 'noneMember')}</p>
      </Empty>
    );
  }
  return (
    <section className={styles.tight}>
      <h2>{t('installed')}</h2>
      <List label={t('installed')}>
        {installations.map((one) => (
          <InstallationRow
            key={one.id}
            own={own}
            installation={one}
            retry={() => retry(one.application.id)}
          />
        ))}
      </List>
    </section>
  );
}

/** Applications that could be installed. */
function More({ installed, ask }: { installed: Installation[]; ask: (id: string) => void }) {
  const t = useTranslations('teams.applications');
  const query = useQuery(installableQuery);
  const { q = '' } = useSearch(route);
  const there = new Set(installed.map(({ application }) => application.id));
  return (
    <section className={styles.stack}>
      <div>
        <h2>{t('directory')}</h2>
        <p className={styles.soft}>{t('directoryLead')}</p>
      </div>
      <Loaded query={query} rows={2}>
        {(all) => {
          const others = all.filter(({ id }) => !there.has(id));
          if (others.length === 0) {
            return (
              <Notice>
                {t('directoryEmpty')} <Link to={'/developers' as '/'}>{t('register')}</Link>
              </Notice>
            );
          }
          const found = others.filter((one) => fits(one, q));
          return (
            <>
              <SearchField />
              {found.length === 0 && <Notice>{t('noMatch', { query: q })}</Notice>}
              <ul className={styles.cards} aria-label={t('directory')}>
                {found.map((one) => (
                  <Tile key={one.id} application={one} ask={() => ask(one.id)} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const fits = ({ name, description }: PublicApplication, query: string) =>
  hasWords(`${name} ${description}`, query);

function SearchField() {
  const t = useTranslations('teams.applications');
  const { q = '' } = useSearch(route);
  const navigate = useNavigate({ from: '/teams/$team/applications' });
  return (
    <search>
      <AddressField
        label={t('search')}
        type="search"
        required
        value={q}
        onChange={({ target }) =>
          void navigate({ search: (before) => ({ ...before, q: target.value }), replace: true })
        }
      />
    </search>
  );
}

function Tile({ application, ask }: { application: Installable; ask: () => void }) {
  const t = useTranslations('teams');
  const { name, description, base_url, isOwn } = application;
  return (
    <li className={styles.tile}>
      <div className={styles.who}>
        <ApplicationIcon application={application} />
        <div>
          <h3>
            {name} {isOwn && <Badge>{t('applications.own')}</Badge>}
          </h3>
          {base_url !== null && <p className={styles.soft}>{hostOf(base_url)}</p>}
        </div>
      </div>
      <p className={styles.clamped}>{description || t('install.noDescription')}</p>
      <div>
        <Button onClick={ask} aria-label={t('applications.installLabel', { name })}>
          {t('applications.install')}
        </Button>
      </div>
    </li>
  );
}
