import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { MousePointerClick } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasWords } from '../../api/matching.ts';
import { membershipsQuery, meQuery } from '../../api/queries.ts';
import { ButtonAnchor } from '../../design/button.tsx';
import { AddressField } from '../../design/field.tsx';
import { PageBody } from '../../design/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { applicationsQuery } from '../queries.ts';
import { UpLink } from '../up-link.tsx';
import type { Known } from './example.ts';
import { Method } from './method.tsx';
import { type Route, routesQuery } from './openapi.ts';
import type { Credentials } from './request.ts';
import { RouteForm } from './route-form.tsx';
import styles from './try.module.css';

/** Every route of the interface, to be called for real. */
export function TryIt() {
  const t = useTranslations('developers.try');
  const query = useQuery(routesQuery);
  const { route: chosen } = useSearch({ from: '/signed-in/developers/try' });
  const actions = (
    <ButtonAnchor href="/docs" target="_blank">
      {t('reference')}
    </ButtonAnchor>
  );
  return (
    <PageBody
      title={t('title')}
      lead={t('lead')}
      icon={<UpLink to="/developers" label={t('up')} />}
      actions={actions}
    >
      <Loaded query={query} rows={8}>
        {(routes) => (
          <div className={styles.columns} data-chosen={chosen !== undefined}>
            <RouteList routes={routes} />
            <div className={styles.main}>
              <Chosen route={routes.find(({ id }) => id === chosen)} missing={chosen !== undefined} />
            </div>
          </div>
        )}
      </Loaded>
    </PageBody>
  );
}

function RouteList({ routes }: { routes: readonly Route[] }) {
  const t = useTranslations('developers.try');
  const search = useSearch({ from: '/signed-in/developers/try' });
  const navigate = useNavigate({ from: '/developers/try' });
  const shown = routes.filter(({ id, summary, tag }) => hasWords(`${id} ${summary} ${tag}`, search.q ?? ''));
  const byTag = Map.groupBy(shown, ({ tag }) => tag);
  return (
    <nav className={styles.routes} aria-label={t('routes')}>
      <AddressField
        label={t('search')}
        type="search"
        required
        value={search.q ?? ''}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({ ...before, q: target.value === '' ? undefined : target.value }),
            replace: true,
          })
        }
      />
      <div className={styles.scroll}>
        {shown.length === 0 && <p className={styles.soft}>{t('noneFound')}</p>}
        {[...byTag].map(([tag, ofTag]) => (
          <section key={tag} aria-label={tag}>
            <h2 className={styles.tag}>{tag}</h2>
            <ul>
              {ofTag.map(({ id, method, path, summary }) => (
                <li key={id}>
                  <Link
                    from="/developers/try"
                    to="."
                    search={(before) => ({ ...before, route: id })}
                    className={styles.route}
                    data-chosen={id === search.route}
                    {...(id === search.route && { ref: showInList })}
                    title={summary}
                  >
                    <Method method={method} />
                    <span className={styles.path} dir="ltr">
                      {path.replace(/^\/v1/, '')}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

const showInList = (link: HTMLElement | null) => {
  link?.scrollIntoView({ block: 'nearest' });
};

function Chosen({ route, missing }: { route: Route | undefined; missing: boolean }) {
  const t = useTranslations('developers.try');
  const search = useSearch({ from: '/signed-in/developers/try' });
  const { data: me } = useQuery(meQuery);
  const { data: memberships } = useQuery(membershipsQuery);
  const { data: applications } = useQuery(applicationsQuery);
  const [credentials, setCredentials] = useState<Credentials>({
    way: 'session',
    token: '',
    clientId: search.application ?? '',
    clientSecret: '',
  });
  if (!route) {
    return (
      <Empty icon={MousePointerClick} title={t(missing ? 'unknown' : 'choose')}>
        <p>{t('chooseText')}</p>
      </Empty>
    );
  }
  // The form begins with real ids, so it waits for them.
  if (!memberships || !applications) return null;
  const known: Known = {
    team: memberships[0]?.team.id,
    application: search.application ?? applications[0]?.id,
    user: me?.id,
  };
  return (
    <RouteForm
      key={route.id}
      route={route}
      known={known}
      credentials={credentials}
      onCredentials={setCredentials}
    />
  );
}
