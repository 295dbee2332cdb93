import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import type { ServerState } from '../api/types.ts';
import { ButtonLink } from '../design/button.tsx';
import { Fact, Facts, List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge, Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { BackupNotice } from './backup-notice.tsx';
import { serverStateQuery } from './queries.ts';
import { useAge, useBytes } from './units.ts';

const LOW_DISK_BYTES = 1024 ** 3;
/** Thresholds of the waiting time for a notice and for a warning. */
const SLOW_S = 60;
const STUCK_S = 600;

/** The state of the server. */
export function Overview() {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  const query = useQuery(serverStateQuery);
  const time = format.dateTime(query.dataUpdatedAt, { timeStyle: 'medium' });
  return (
    <AdminPage part="overview" plain>
      <Loaded query={query}>
        {(state) => (
          <>
            <Needs state={state} />
            <Stores state={state} />
            <Counts counts={state.counts} />
            <Server state={state} />
            <Queues queues={state.queues} />
            <p className={styles.soft}>{t('refreshed', { time })}</p>
          </>
        )}
      </Loaded>
    </AdminPage>
  );
}

const isDiskLow = ({ storage: { disk_free_bytes: free } }: ServerState) =>
  free !== null && free < LOW_DISK_BYTES;

const isStuck = ({ queues }: ServerState) =>
  Object.values(queues).some((queue) => stateOf(queue) === 'stuck');

/** What an administrator should see to, before all that goes by itself. */
function Needs({ state }: { state: ServerState }) {
  const t = useTranslations('administration.overview');
  const { data: server } = useQuery(serverQuery);
  const { backup } = state;
  const needsBackup = backup.failed || backup.last_at === null || backup.state !== 'ok';
  const needsMail = server?.mail === false;
  return (
    <section className={styles.tight} aria-label={t('needs')}>
      {isStuck(state) && <Notice kind="danger">{t('stuckHint')}</Notice>}
      {isDiskLow(state) && <Notice kind="danger">{t('freeLow')}</Notice>}
      {needsBackup && (
        <BackupNotice
          backup={backup}
          action={
            <ButtonLink to="/admin/backup" small>
              {t('toBackup')}
            </ButtonLink>
          }
        />
      )}
      {needsMail && <Notice kind="warning">{t('noMail')}</Notice>}
      {!(needsBackup || needsMail || isStuck(state) || isDiskLow(state)) && (
        <Notice kind="success">{t('needsNothing')}</Notice>
      )}
    </section>
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

function Stores({ state: { database, storage, backup } }: { state: ServerState }) {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  const tBackup = useTranslations('administration.backup');
  const bytes = useBytes();
  const free = storage.disk_free_bytes;
  return (
    <div className={styles.two}>
      <Card title={t('database')}>
        <Facts>
          <Fact name={t('kind')}>
            {t(`kinds.${database.kind}`)} {database.version}
          </Fact>
          <Fact name={t('size')}>{bytes(database.size_bytes)}</Fact>
          <Fact name={tBackup('last')}>
            {backup.last_at === null ? tBackup('never') : <Time at={backup.last_at} style="full" />}
          </Fact>
        </Facts>
      </Card>
      <Card title={t('storage')}>
        <Facts>
          <Fact name={t('kind')}>{t(`kinds.${storage.kind}`)}</Fact>
          <Fact name={t('files')}>{format.number(storage.files)}</Fact>
          <Fact name={t('size')}>{bytes(storage.bytes)}</Fact>
          {free !== null && <Fact name={t('free')}>{bytes(free)}</Fact>}
        </Facts>
      </Card>
    </div>
  );
}

function Counts({ counts }: { counts: ServerState['counts'] }) {
  const t = useTranslations('administration.overview');
  const format = useFormatter();
  return (
    <Card title={t('counts')}>
      <Facts>
        {keysOf(counts).map((key) => (
          <Fact key={key} name={t(`count.${key}`)}>
            {format.number(counts[key])}
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

function Queues({ queues }: { queues: ServerState['queues'] }) {
  const t = useTranslations('administration.overview');
  return (
    <section className={styles.tight}>
      <h2>{t('queues')}</h2>
      <p className={styles.soft}>{t('queuesLead')}</p>
      <List label={t('queues')}>
        {byNeed(queues).map((key) => (
          <QueueRow key={key} name={t(`queue.${key}`)} queue={queues[key]} />
        ))}
      </List>
    </section>
  );
}

/** Those that are stuck or slow stand first. */
const byNeed = (queues: ServerState['queues']) =>
  keysOf(queues).sort(
    (one, other) => STATES.indexOf(stateOf(queues[other])) - STATES.indexOf(stateOf(queues[one])),
  );
const STATES = ['ok', 'slow', 'stuck'];

const keysOf = <T extends object>(all: T) => Object.keys(all) as (keyof T & string)[];

type Queue = ServerState['queues'][keyof ServerState['queues']];
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
  const waits = () => {
    if (count === 0) return t('nothing');
    return oldest_seconds === null
      ? t('later', { count })
      : t('waiting', { count, age: age(oldest_seconds) });
  };
  return <ListRow title={name} detail={waits()} aside={<Badge kind={KINDS[state]}>{t(state)}</Badge>} />;
}
