import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Fact, Facts, List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge, Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { type ServerState, serverStateQuery } from './queries.ts';
import { useAge, useBytes } from './units.ts';

const LOW_DISK_BYTES = 1024 ** 3;
/** From when on waiting is worth a look, and from when on something is wrong. */
const SLOW_S = 60;
const STUCK_S = 600;

/** How the server is. */
export function Overview() {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  const query = useQuery(serverStateQuery);
  const time = format.dateTime(query.dataUpdatedAt, { timeStyle: 'medium' });
  return (
    <AdminPage part="overview">
      <Loaded query={query}>
        {(state) => (
          <>
            <Queues queues={state.queues} />
            <Server state={state} />
            <Stores state={state} />
            <Counts counts={state.counts} />
            <p className={styles.soft}>{t('refreshed', { time })}</p>
          </>
        )}
      </Loaded>
    </AdminPage>
  );
}

function Server({ state }: { state: ServerState }) {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  const bytes = useBytes();
  return (
    <Card title={t('server')}>
      <Facts>
        <Fact name={t('version')}>{state.version}</Fact>
        <Fact name={t('node')}>{state.node}</Fact>
        <Fact name={t('started')}>
          <Time at={state.started_at} style="full" />
        </Fact>
        <Fact name={t('memory')}>{bytes(state.memory.rss_bytes)}</Fact>
        <Fact name={t('streams')}>{format.number(state.streams)}</Fact>
      </Facts>
    </Card>
  );
}

function Stores({ state: { database, storage } }: { state: ServerState }) {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  const bytes = useBytes();
  const free = storage.disk_free_bytes;
  return (
    <div className={styles.two}>
      <Card title={t('database')}>
        <Facts>
          <Fact name={t('kind')}>
            <Kind kind={database.kind} /> {database.version}
          </Fact>
          <Fact name={t('size')}>{bytes(database.size_bytes)}</Fact>
        </Facts>
      </Card>
      <Card title={t('storage')}>
        <Facts>
          <Fact name={t('kind')}>
            <Kind kind={storage.kind} />
          </Fact>
          <Fact name={t('files')}>{format.number(storage.files)}</Fact>
          <Fact name={t('size')}>{bytes(storage.bytes)}</Fact>
          {free !== null && <Fact name={t('free')}>{bytes(free)}</Fact>}
        </Facts>
        {free !== null && free < LOW_DISK_BYTES && <Notice kind="danger">{t('freeLow')}</Notice>}
      </Card>
    </div>
  );
}

function Kind({ kind }: { kind: string }): ReactNode {
  const t = useTranslations('administration.overview.kinds');
  return t.has(kind as 'sqlite') ? t(kind as 'sqlite') : kind;
}

function Counts({ counts }: { counts: ServerState['counts'] }) {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  const nameOf = (key: string) => (t.has(`count.${key}` as 'counts') ? t(`count.${key}` as 'counts') : key);
  return (
    <Card title={t('counts')}>
      <Facts>
        {Object.entries(counts).map(([key, count]) => (
          <Fact key={key} name={nameOf(key)}>
            {format.number(count)}
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

function Queues({ queues }: { queues: ServerState['queues'] }) {
  const t = useTranslations('administration.overview');
  const nameOf = (key: string) => (t.has(`queue.${key}` as 'queues') ? t(`queue.${key}` as 'queues') : key);
  const all = Object.entries(queues);
  const isStuck = all.some(([, queue]) => stateOf(queue) === 'stuck');
  return (
    <section className={styles.tight}>
      <h2>{t('queues')}</h2>
      <p className={styles.soft}>{t('queuesLead')}</p>
      {isStuck && <Notice kind="danger">{t('stuckHint')}</Notice>}
      <List label={t('queues')}>
        {all.map(([key, queue]) => (
          <QueueRow key={key} name={nameOf(key)} queue={queue} />
        ))}
      </List>
    </section>
  );
}

type Queue = ServerState['queues'][string];
const KINDS = { ok: 'success', slow: 'warning', stuck: 'danger' } as const;

function stateOf({ waiting, oldest_seconds }: Queue): keyof typeof KINDS {
  if (waiting === 0 || oldest_seconds === null || oldest_seconds < SLOW_S) return 'ok';
  return oldest_seconds < STUCK_S ? 'slow' : 'stuck';
}

function QueueRow({ name, queue }: { name: string; queue: Queue }) {
  const t = useTranslations('administration.overview');
  const age = useAge();
  const { waiting: count, oldest_seconds } = queue;
  const state = stateOf(queue);
  return (
    <ListRow
      title={name}
      detail={count === 0 ? t('nothing') : t('waiting', { count, age: age(oldest_seconds ?? 0) })}
      aside={<Badge kind={KINDS[state]}>{t(state)}</Badge>}
    />
  );
}
