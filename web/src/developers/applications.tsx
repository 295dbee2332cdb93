import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Blocks, BookOpen, FileCode, Plus, TerminalSquare } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { ListedApplication } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { ButtonLink } from '../design/button.tsx';
import { Badge, PageBody } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { StatusBadge } from './delivery-parts.tsx';
import styles from './developers.module.css';
import { applicationsQuery, isDone, progressQuery, STEPS } from './queries.ts';
import { TryExample, Welcome } from './welcome.tsx';

/** The user's applications, or how to make the first one. */
export function Applications() {
  const t = useTranslations('developers.list');
  const query = useQuery(applicationsQuery);
  const actions = (query.data?.length ?? 0) > 0 && (
    <ButtonLink to="/developers/new" look="primary">
      <Plus size={16} aria-hidden />
      {t('register')}
    </ButtonLink>
  );
  return (
    <PageBody title={t('title')} lead={t('lead')} actions={actions}>
      <Doors />
      <Loaded query={query} rows={3}>
        {(all) => (all.length === 0 ? <Welcome /> : <List all={all} />)}
      </Loaded>
    </PageBody>
  );
}

/** What helps to build: to read, and to try. */
function Doors() {
  const t = useTranslations('developers.list');
  return (
    <ul className={styles.doors}>
      <li>
        <a href="/docs/guides" target="_blank" rel="noopener">
          <BookOpen size={20} aria-hidden />
          {t('guides')}
        </a>
      </li>
      <li>
        <a href="/docs" target="_blank" rel="noopener">
          <FileCode size={20} aria-hidden />
          {t('reference')}
        </a>
      </li>
      <li>
        <Link to="/developers/try">
          <TerminalSquare size={20} aria-hidden />
          {t('try')}
        </Link>
      </li>
      <li>
        <Link to="/developers/blocks">
          <Blocks size={20} aria-hidden />
          {t('blocks')}
        </Link>
      </li>
    </ul>
  );
}

function List({ all }: { all: readonly ListedApplication[] }) {
  return (
    <>
      <ul className={styles.list}>
        {all.map((application) => (
          <Item key={application.id} application={application} />
        ))}
      </ul>
      <TryExample />
    </>
  );
}

function Item({ application }: { application: ListedApplication }) {
  const t = useTranslations('developers.list');
  return (
    <li className={styles.item}>
      <ApplicationIcon application={application} />
      <div className={styles.itemText}>
        <h2>
          <Link
            to="/developers/$application"
            params={{ application: application.id }}
            className={styles.cover}
          >
            {application.name}
          </Link>
        </h2>
        <code className={styles.soft}>{application.id}</code>
      </div>
      <div className={styles.row}>
        <Badge>{t(application.listed ? 'listed' : 'unlisted')}</Badge>
        {application.num_installations > 0 && (
          <Badge>{t('installations', { count: application.num_installations })}</Badge>
        )}
      </div>
      <Progress application={application} />
      <LastDelivery application={application} />
    </li>
  );
}

function Progress({ application }: { application: ListedApplication }) {
  const t = useTranslations('developers.list');
  const { data } = useQuery({ ...progressQuery(application.id), refetchInterval: false });
  const done = data?.filter(isDone).length ?? 0;
  return (
    <span className={styles.glance}>
      {data && (
        <>
          <progress className={styles.progress} value={done} max={STEPS.length} aria-label={t('progress')} />
          <span>{t('steps', { done, all: STEPS.length })}</span>
        </>
      )}
    </span>
  );
}

function LastDelivery({ application: { last_delivery } }: { application: ListedApplication }) {
  const t = useTranslations('developers.list');
  return (
    <span className={styles.glance}>
      {last_delivery ? (
        <>
          <StatusBadge delivery={last_delivery} />
          <Time at={last_delivery.created_at} />
        </>
      ) : (
        <span className={styles.soft}>{t('noDelivery')}</span>
      )}
    </span>
  );
}
