import { createHash } from 'node:crypto';
import pg from 'pg';
import { pause } from '../pause.ts';
import {
  asTransaction,
  type Batch,
  type Database,
  type DatabaseLoad,
  DatabaseUnavailable,
  Gathered,
  type Reader,
  type Tx,
  together,
  type Watcher,
  type WriteOptions,
} from './database.ts';
import { Gate, Lanes } from './gate.ts';
import { GROUP_LIMIT, Group, join, type Member, only } from './group.ts';
import { Listener } from './listener.ts';
import {
  answerMs,
  ask,
  beginSession,
  Connection,
  connectionOptions,
  control,
  type PostgresSettings,
  sendTogether,
  transactionLimits,
} from './postgres-connection.ts';
import {
  endsSession,
  isCancelled,
  isContended,
  isRetryable,
  isTimeout,
  unreachable,
  wasEnded,
} from './postgres-errors.ts';
import { Readers } from './readers.ts';
import { type Proof, Replica } from './replica.ts';
import { Servers } from './servers.ts';

const MAX_TRIES = 5;
/** A transaction whose session ended before its commit is retried only a few times: the server may be down. */
const MAX_LOST = 2;
/** Random pause before a retry, so that the parties of a deadlock do not collide again. */
const MOST_PAUSE_MS = 20;
/** How long a request waits for a connection once the server stops. */
const HURRY_MS = 200;

/** After this time a group takes no more members. */
const GROUP_MS = 100;

/** The most members of a group of several lanes, so that a quiet team waits for no busy one. */
const TOGETHER_LIMIT = 64;

/** How long such a group waits for a row that somebody else has locked. */
const TOGETHER_LOCK_MS = 100;

/** With the number of a lane, names the lock of all nodes for its groups. Any constant would do. */
const LANES_LOCK = 7_241_996;

/** A page of a table by its key takes far less; a frozen disk may not hold a snapshot for ever. */
const SNAPSHOT_STATEMENT_MS = 120_000;
/** Between two pages a file is written. A machine that is gone leaves its snapshot, which keeps old rows, for that long. */
const SNAPSHOT_IDLE_MS = 60_000;
/** All statements see the state of the first one (PostgreSQL, §13.2.2). */
const SNAPSHOT = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  `SET LOCAL statement_timeout = ${SNAPSHOT_STATEMENT_MS}`,
  `SET LOCAL idle_in_transaction_session_timeout = ${SNAPSHOT_IDLE_MS}`,
].join('; ');

/** A lane while it is served. */
interface Lane {
  readonly name: string;
  /** The members of its next group. */
  readonly waiting: Member[];
  /** While a group has its earlier members; ends when they are answered, or wait again. */
  group: Promise<void> | undefined;
  /** Whether others hold what it needs. Its groups are its own from then on, and wait for that. */
  isHeldUp: boolean;
}

/** The members of a group, by lane. */
type Members = ReadonlyMap<Lane, Member[]>;

/** The work of a transaction. @param lanes the numbers of those whose locks it has */
type Work<T> = (tx: Tx, lanes: ReadonlySet<number>) => Promise<T>;

/** The session ended before COMMIT was sent, so the transaction was rolled back. */
class LostBeforeCommit extends Error {}

/**
 * PostgreSQL with one pool of connections for {@link Readers} and one for writers, which may wait for another node's
 * lock. Only some of the writers to one busy row may wait at the same time.
 *
 * Shared writes use **group commit** ({@link Group}) on one connection. Most of what a transaction costs is its round
 * trips, so all lanes that wait share the next group, and only a few groups run at once. A member that fails after a
 * write rolls its group back, since more than 64 savepoints in a transaction make PostgreSQL slow; the members of each lane
 * then run again by themselves, and if that fails, each in a transaction of its own.
 *
 * **Lock order.** A group holds the locks of all its members, so members of two groups could wait for each other. A
 * group therefore takes the locks of its lanes before any other: groups of one lane, on any node, run one after the other.
 * A group of several lanes takes the locks that are free, leaves out the other lanes, and waits for a row only briefly. A lane
 * that is left out, and each lane of such a group that failed, then has groups of its own, which wait: no lane waits long for
 * what another one needs. No transaction waits for a lane's lock while it has another lock, so it is part of no deadlock.
 * Groups of different lanes share only locks that do not conflict (the keys of referenced rows), or that both take in one
 * order.
 */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly #settings: PostgresSettings;
  readonly #limits: string | undefined;
  readonly #readers: Readers;
  readonly #pool: pg.Pool;
  /** The sessions of the pool. Those behind a pooler are not known. */
  readonly #sessions = new Set<number | undefined>();
  readonly #writers: Gate;
  /** Lets a few groups run at once: the others gather members meanwhile. */
  readonly #groups: Gate;
  /** Whether a group, which stands for many, goes ahead of other writers: they have connections left. */
  readonly #mayGoAhead: boolean;
  readonly #lanes: Lanes;
  /** The lanes that have members, by name, the longest served first. */
  readonly #served = new Map<string, Lane>();
  /** Ends those that are read. */
  readonly #snapshots = new Set<() => void>();
  readonly #onIdleError: (error: Error) => void;
  readonly #closing = new AbortController();
  readonly replica: Replica | undefined;
  #isFull = false;
  #watcher: Watcher | undefined;

  /** @param replica for lists */
  constructor(
    settings: PostgresSettings,
    onIdleError: (error: Error) => void,
    replica?: { url: string; proof: Proof },
  ) {
    this.#settings = settings;
    settings.servers.watch();
    settings.listeningServers?.watch();
    this.#limits = transactionLimits(settings);
    this.#onIdleError = onIdleError;
    const forReaders = Math.max(1, Math.floor(settings.connections / 4));
    const writers = settings.connections - forReaders;
    this.#readers = new Readers(settings, forReaders, onIdleError);
    this.#pool = new pg.Pool({
      max: writers,
      connectionTimeoutMillis: settings.connectMs,
      Client: class extends Connection {
        constructor() {
          // Statements that do not wait for each other's answers share a round trip.
          super({ ...connectionOptions(settings), pipeline: true });
        }
      },
      onConnect: (client) => beginSession(client, settings),
    });
    // A connection that breaks while idle is replaced by the pool.
    this.#pool.on('error', onIdleError);
    if (!settings.pooler) {
      this.#pool.on('connect', (client) => this.#sessions.add(sessionOf(client)));
      this.#pool.on('remove', (client) => this.#sessions.delete(sessionOf(client)));
    }
    const some = Math.max(1, Math.floor(writers / 3));
    const gate = (places: number) => new Gate(places, settings.connectMs, (ms) => this.#watcher?.waited(ms));
    this.#writers = gate(writers);
    this.#groups = gate(some);
    this.#mayGoAhead = some < writers;
    this.#lanes = new Lanes(some, settings.connectMs);
    if (!replica) return;
    const own = {
      ...settings,
      servers: Servers.only(replica.url),
      pooler: undefined,
      connections: forReaders,
    };
    this.replica = new Replica(own, this, replica.proof, onIdleError);
  }

  watch(watcher: Watcher): void {
    this.#watcher = watcher;
    this.#readers.watch((ms) => watcher.waited(ms));
  }

  load(): DatabaseLoad {
    const { totalCount, idleCount } = this.#pool;
    const writers = { used: totalCount - idleCount, idle: idleCount, waiting: this.waitingWriters };
    return { pools: { readers: this.#readers.load(), writers } };
  }

  get waitingWriters(): number {
    return this.#groups.waiting + this.#writers.waiting;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.#readers.all<Row>(sql, parameters);
  }

  write<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    return this.batch(only(work), undefined, options);
  }

  batch<Item, T>(batch: Batch<Item, T>, item: Item, options: WriteOptions = {}): Promise<T> {
    const { lane, shared } = options;
    if (!shared || lane === undefined) return this.#writeAlone((tx) => carryOut(tx, batch, item), options);
    return join(batch, item, (member) => {
      const served = this.#served.get(lane);
      if (served) served.waiting.push(member);
      else void this.#serve({ name: lane, waiting: [member], group: undefined, isHeldUp: false });
    });
  }

  async #writeAlone<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions): Promise<T> {
    const { lane, ahead } = options;
    const leaveLane = lane === undefined ? undefined : await this.#lanes.enter(lane);
    try {
      const leaveWriters = await this.#enter(this.#writers, ahead);
      try {
        return await this.#persist(work, options);
      } finally {
        leaveWriters();
      }
    } finally {
      leaveLane?.();
    }
  }

  /** Commits one group after the other until no member waits. */
  async #serve(lane: Lane): Promise<void> {
    this.#served.set(lane.name, lane);
    while (lane.group || lane.waiting.length > 0) {
      try {
        await (lane.group ?? this.#serveNext(lane));
      } catch (error) {
        for (const member of lane.waiting.splice(0)) member.reject(error);
      }
    }
    this.#served.delete(lane.name);
  }

  /** @throws DatabaseUnavailable when there is no connection in time */
  async #serveNext(lane: Lane): Promise<void> {
    const { isHeldUp } = lane;
    const leave = isHeldUp ? undefined : await this.#enter(this.#groups);
    try {
      const leaveWriters = await this.#enter(this.#writers, !isHeldUp && this.#mayGoAhead);
      // Requests of the same turn of the event loop join the group.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      try {
        // Meanwhile another lane may have taken the members along.
        const isStill = !lane.group && lane.isHeldUp === isHeldUp;
        if (isStill && lane.waiting.length > 0) await this.#commitNext(lane);
      } finally {
        leaveWriters();
      }
    } finally {
      leave?.();
    }
  }

  async #enter(gate: Gate, ahead = false): Promise<() => void> {
    await gate.enter(ahead);
    return () => gate.leave();
  }

  async #commitNext(lane: Lane): Promise<void> {
    const lanes = lane.isHeldUp ? [lane] : this.#together(lane);
    const members = new Map(lanes.map((one) => [one, one.waiting.splice(0, GROUP_LIMIT)]));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const one of lanes) one.group = promise;
    try {
      if (lane.isHeldUp) return await this.#commitOwn(lane, members.get(lane) ?? [], GROUP_LIMIT);
      for (const one of await this.#commitTogether(members)) {
        one.isHeldUp = true;
        one.waiting.unshift(...(members.get(one) ?? []));
      }
    } finally {
      for (const one of lanes) one.group = undefined;
      resolve();
    }
  }

  /** @returns the lane, and those whose members fit into a group with its own */
  #together(lane: Lane): Lane[] {
    const lanes = [lane];
    let count = lane.waiting.length;
    for (const other of this.#served.values()) {
      if (count >= TOGETHER_LIMIT) break;
      const { waiting, group, isHeldUp } = other;
      if (other === lane || group || isHeldUp || waiting.length === 0) continue;
      if (count + waiting.length > TOGETHER_LIMIT) continue;
      lanes.push(other);
      count += waiting.length;
    }
    return lanes;
  }

  /** Commits a group of the lanes that are free. @returns those whose members are to run again */
  async #commitTogether(members: Members): Promise<Lane[]> {
    const lanes = [...members.keys()];
    const limit = lanes.length > 1 ? TOGETHER_LIMIT : GROUP_LIMIT;
    let free: Members = members;
    const work: Work<void> = async (tx, numbers) => {
      free = new Map([...members].filter(([{ name }]) => numbers.has(numberOf(name))));
      await runGroup(tx, free, limit);
    };
    try {
      await this.#persist(work, { together: lanes.map(({ name }) => name) });
      return lanes.filter((lane) => !free.has(lane));
    } catch (error) {
      const isOfOne = !(error instanceof DatabaseUnavailable) || isCancelled(error);
      if (isContended(error) || (isOfOne && lanes.length > 1)) return lanes;
      for (const [lane, own] of members) await this.#runOneByOne(lane, own, error);
      return [];
    }
  }

  /** Commits a group of one lane, and waits for what it needs. @param limit the most members */
  async #commitOwn(lane: Lane, members: Member[], limit: number): Promise<void> {
    try {
      await this.#persist((tx) => runGroup(tx, new Map([[lane, members]]), limit), { groupOf: lane.name });
    } catch (error) {
      await this.#runOneByOne(lane, members, error);
    }
  }

  /** After a group failed. The error of a single member, or of the whole database, is their answer. */
  async #runOneByOne(lane: Lane, members: readonly Member[], error: unknown): Promise<void> {
    // After any other error the transaction is known to be rolled back.
    const isFinal = members.length === 1 || error instanceof DatabaseUnavailable;
    for (const member of members) {
      if (isFinal) member.reject(error);
      else await this.#commitOwn(lane, [member], 1);
    }
  }

  forLists(): Reader | Promise<Reader> {
    return this.replica ? this.replica.reader() : this;
  }

  listen(channel: string, heard: (said: string, isOwn: boolean) => void): () => void {
    const hear = (said: string, session: number | undefined) => heard(said, this.#sessions.has(session));
    const listener = new Listener(this.#settings, channel, hear, this.#onIdleError);
    return () => listener.stop();
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('PostgreSQL is copied from a snapshot.'));
  }

  /** Beside the pools: a long read takes no connection from requests. */
  async snapshot<T>(work: (from: Reader) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const settings = this.#settings;
    const connection = new Connection(connectionOptions(settings));
    const end = () => connection.abandon(new DatabaseUnavailable('the reading of a snapshot was ended'));
    try {
      signal?.throwIfAborted();
      await connection.connect().catch((error: unknown) => {
        throw unreachable(error);
      });
      signal?.addEventListener('abort', end);
      this.#snapshots.add(end);
      await beginSession(connection, settings);
      await control(connection, SNAPSHOT, answerMs(settings));
      const value = await work({
        dialect: this.dialect,
        all: (sql, parameters) => ask(connection, sql, parameters, SNAPSHOT_STATEMENT_MS),
      });
      await control(connection, 'COMMIT', answerMs(settings));
      return value;
    } catch (error) {
      if (!connection.lost || error instanceof DatabaseUnavailable) throw error;
      throw new DatabaseUnavailable('lost', { cause: connection.lost });
    } finally {
      signal?.removeEventListener('abort', end);
      this.#snapshots.delete(end);
      await connection.end().catch(() => undefined);
    }
  }

  hurry(): void {
    for (const gate of [this.#lanes, this.#groups, this.#writers, this.#readers]) gate.hurry(HURRY_MS);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#lanes.close();
    this.#groups.close();
    this.#writers.close();
    for (const end of this.#snapshots) end();
    await this.replica?.close();
    await Promise.all([this.#readers.close(), this.#pool.end()]);
    await Promise.all([this.#settings.servers.close(), this.#settings.listeningServers?.close()]);
  }

  /** Runs the transaction, and retries it while PostgreSQL asks for that. */
  async #persist<T>(work: Work<T>, options: Opening): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const value = await this.#transaction(work, options);
        this.#isFull = false;
        return value;
      } catch (error) {
        const isLost = error instanceof LostBeforeCommit;
        const most = options.together ? 1 : MAX_TRIES;
        const mayRepeat = isLost ? tries < MAX_LOST : isRetryable(error) && tries < most;
        if (!mayRepeat) throw this.#note(isLost ? unreachable(error.cause) : error);
        await pause(Math.random() * MOST_PAUSE_MS * tries, this.#closing.signal);
      }
    }
  }

  #note(error: unknown): unknown {
    if (error instanceof DatabaseUnavailable && error.isFull) this.#isFull = true;
    return error;
  }

  async #transaction<T>(work: Work<T>, opening: Opening): Promise<T> {
    const { patient } = opening;
    const client = await this.#connect();
    const waitMs = patient ? undefined : answerMs(this.#settings);
    const effects: (() => void)[] = [];
    const gathered = new Gathered();
    const tx = asTransaction({
      dialect: this.dialect,
      all: <Row>(sql: string, parameters: readonly unknown[]) => {
        // Not until the end of the turn, as readers do: others wait for the locks of this transaction.
        sendTogether(client, process.nextTick);
        return ask<Row>(client, sql, parameters, waitMs);
      },
      afterCommit: (effect) => void effects.push(effect),
      gather: (insert, row) => gathered.add(insert, row),
    });
    let broken: Error | undefined;
    let isCommitting = false;
    try {
      const begun = await control(client, beginning(opening, this.#limits), waitMs);
      const value = await work(tx, new Set(begun.rows.map(({ number }) => number)));
      const written = await gathered.write(tx);
      written.done.catch((error: unknown) => {
        // PostgreSQL says that it ended the session before the COMMIT behind these statements.
        if (wasEnded(error)) isCommitting = false;
      });
      if (lostOf(client)) throw lostOf(client);
      isCommitting = true;
      // PostgreSQL answers the COMMIT of a transaction in which a statement failed with ROLLBACK.
      warningOf(client);
      const sent = performance.now();
      // In one round trip. After a statement that fails, this COMMIT rolls back.
      const [, done] = await together([written.done, control(client, 'COMMIT', waitMs)]);
      this.#watcher?.committed('commit', performance.now() - sent);
      if (done.command !== 'COMMIT')
        throw new Error('a statement of the transaction failed, and its error was lost');
      // Somebody ended the wait for a synchronous standby: a fail-over would lose what is committed here alone.
      const warning = warningOf(client);
      if (warning !== undefined) throw new DatabaseUnavailable(warning);
      for (const effect of effects) effect();
      return value;
    } catch (error) {
      broken = await rollBack(client, error, waitMs);
      if (broken === undefined) throw error;
      if (!isCommitting && !isTimeout(error)) throw new LostBeforeCommit('lost', { cause: error });
      throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable('lost', { cause: error });
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unreachable(error);
    }
  }
}

async function carryOut<Item, T>(tx: Tx, batch: Batch<Item, T>, item: Item): Promise<T> {
  const [outcome] = await batch(tx, [item]);
  if (!outcome) throw new Error('the batch gave no outcome for its item');
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

/** Carries members out, and those who come meanwhile: others, who also need the rows of their lanes, wait for the end. */
async function runGroup(tx: Tx, members: Members, limit: number): Promise<void> {
  const all = () => [...members.values()].flat();
  const takeMore = () =>
    [...members].flatMap(([{ waiting }, own]) => {
      const more = waiting.splice(0, limit - all().length);
      own.push(...more);
      return more;
    });
  const group = new Group(tx);
  // Also those who came while the transaction began.
  takeMore();
  const end = performance.now() + GROUP_MS;
  await group.run(all());
  while (performance.now() < end) {
    const more = takeMore();
    if (more.length === 0) break;
    await group.run(more);
  }
}

/** How a transaction begins. */
interface Opening extends Pick<WriteOptions, 'patient'> {
  /** The lane whose group it carries out. */
  readonly groupOf?: string;
  /** The lanes whose group it carries out, of those that are free. */
  readonly together?: readonly string[];
}

/** One round trip, whatever the transaction begins with. */
function beginning({ patient, groupOf, together }: Opening, limits: string | undefined): string {
  const statements = ['BEGIN'];
  if (limits) statements.push(limits);
  if (patient) statements.push('SET LOCAL statement_timeout = 0');
  if (groupOf !== undefined) {
    statements.push(`SELECT pg_advisory_xact_lock(${LANES_LOCK}, ${numberOf(groupOf)})`);
  }
  if (together) {
    const numbers = together.map(numberOf).join();
    statements.push(
      `SET LOCAL lock_timeout = ${TOGETHER_LOCK_MS}`,
      `SELECT number FROM unnest(ARRAY[${numbers}]) AS number WHERE pg_try_advisory_xact_lock(${LANES_LOCK}, number)`,
    );
  }
  return statements.join('; ');
}

/** The number of a lane for its lock. Two lanes of one number only wait for each other. */
const numberOf = (lane: string) => createHash('sha256').update(lane).digest().readInt32BE();

/** Every client of the pool is a {@link Connection}. */
const sessionOf = (client: pg.PoolClient) => (client as unknown as Connection).session;
const lostOf = (client: pg.PoolClient) => (client as unknown as Connection).lost;
const warningOf = (client: pg.PoolClient) => (client as unknown as Connection).takeWarning();

/** @returns why the connection is unusable, or undefined if it can be reused */
async function rollBack(
  client: pg.PoolClient,
  error: unknown,
  waitMs: number | undefined,
): Promise<Error | undefined> {
  const lost = lostOf(client);
  if (lost) return lost;
  if (endsSession(error)) return error as Error;
  try {
    await control(client, 'ROLLBACK', waitMs);
    return undefined;
  } catch (failure) {
    return failure as Error;
  }
}
