import { availableParallelism, totalmem } from 'node:os';
import type { Config } from './config.ts';
import { MAY_SHARE } from './config-checks.ts';

/** More would want more connections than PostgreSQL has by default. */
export const MOST_PROCESSES = 4;
export const MEMORY_OF_ONE = 2 ** 30;
/** One reads and one writes. */
const LEAST_CONNECTIONS = 2;

interface Machine {
  readonly processors: number;
  /** In bytes. */
  readonly memory: number;
}

/** The share of the machine that this program may use, as its container limits it. */
function thisMachine(): Machine {
  // Where nothing is set, it is 0 or far beyond what there is.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return { processors: availableParallelism(), memory: Math.min(constrained, totalmem()) };
}

/** How many processes serve: one processor is left for PostgreSQL and the supervisor. */
export function countProcesses(
  { PROCESSES, DATABASE_URL, PORT }: Pick<Config, 'PROCESSES' | 'DATABASE_URL' | 'PORT'>,
  { processors, memory }: Machine = thisMachine(),
): number {
  if (PROCESSES !== 'auto') return PROCESSES;
  if (DATABASE_URL === undefined || PORT === 0 || !MAY_SHARE) return 1;
  return Math.max(1, Math.min(processors - 1, Math.floor(memory / MEMORY_OF_ONE), MOST_PROCESSES));
}

/** Which of the processes that share a port this one is. */
export interface OwnProcess {
  /** From 1 on. The process that replaces one that ended has its number. */
  readonly number: number;
  readonly of: number;
}

const NAME = 'PARLEY_PROCESS';

/** The environment that tells a process which one it is. */
export const environmentOf = ({ number, of }: OwnProcess) => ({ [NAME]: `${number}/${of}` });

/** Undefined in a process that serves alone. */
export function ownProcess(environment: NodeJS.ProcessEnv): OwnProcess | undefined {
  // Only a supervisor has a channel to it, and `bootstrap.cjs`, which does not hand this name on.
  if (process.send === undefined) return undefined;
  const [number, of] = environment[NAME]?.split('/').map(Number) ?? [];
  return number && of ? { number, of } : undefined;
}

/** The system gives connections to processes by chance: one may have a quarter more than its share. */
const CHANCE = 1.25;

type Shared = Pick<Config, 'DATABASE_CONNECTIONS' | 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_NETWORK'>;

/** The share of each process in the connections that the settings give to the server. */
export function sharesOf<Of extends Shared>(config: Of, processes: number): Of {
  if (processes === 1) return config;
  const bound = (connections: number) => Math.ceil((connections / processes) * CHANCE);
  return {
    ...config,
    DATABASE_CONNECTIONS: Math.max(LEAST_CONNECTIONS, Math.floor(config.DATABASE_CONNECTIONS / processes)),
    MAX_CONNECTIONS: bound(config.MAX_CONNECTIONS),
    MAX_CONNECTIONS_PER_NETWORK: bound(config.MAX_CONNECTIONS_PER_NETWORK),
  };
}
