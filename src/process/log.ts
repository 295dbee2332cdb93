import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import type { Config } from './config.ts';
import { readableLine } from './log-line.ts';
import { LogSink } from './log-sink.ts';
import type { OwnProcess } from './processes.ts';

/** Lines are written together, so many or those of a second: each write wakes a thread. */
const LOG_AT_ONCE = 16_000;
/** Writes of several processes to one pipe stay whole up to this size (PIPE_BUF of Linux). */
const WHOLE_BYTES = 4096;
/** Log lines are dropped when the reader of the log falls behind by this much. */
const MAX_LOG_LENGTH = 8 * 1024 * 1024;

export interface Log {
  readonly logger: FastifyBaseLogger;
  /** Whether a person reads it. */
  readonly isText: boolean;
  /** Writes at once, whatever LOG_LEVEL is: `text` for a person, `records` for a program. */
  say(text: string, records: readonly LogRecord[]): void;
}

export interface LogRecord {
  readonly message: string;
  readonly fields?: object;
}

/** Whether log lines are for a person: as set, or in a terminal. */
export const isForPeople = ({ LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>): boolean =>
  LOG_FORMAT === 'auto' ? process.stdout.isTTY === true : LOG_FORMAT === 'text';

/**
 * The log on standard output. Lines are written in the background: a request never waits for its log line.
 * @param own which one this process is, where several write to the same output
 */
export function openLog(config: Pick<Config, 'LOG_FORMAT' | 'LOG_LEVEL'>, own?: OwnProcess): Log {
  const isText = isForPeople(config);
  const atOnce = own ? WHOLE_BYTES : LOG_AT_ONCE;
  // A person sees each line as it comes.
  const sink = new LogSink(1, isText ? 1 : atOnce, MAX_LOG_LENGTH, own && WHOLE_BYTES);
  setInterval(() => sink.flush(), 1000).unref();
  process.on('exit', () => sink.flushAtEnd());
  const lines = { write: (line: string) => sink.write(readableLine(line)) };
  const root = pino({ level: config.LOG_LEVEL }, isText ? lines : sink);
  const logger = own ? root.child({ process: own.number }) : root;
  return {
    logger,
    isText,
    say: (text, records) => {
      if (isText) sink.write(`${text}\n`);
      const always = logger.child({}, { level: 'info' });
      if (!isText) for (const { message, fields = {} } of records) always.info(fields, message);
      sink.flush();
    },
  };
}
