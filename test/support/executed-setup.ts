import { subscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';
import type { StatementEvent } from '../../src/platform/db/statement.ts';
import { Recorder } from './executed.ts';

/** One for each worker, which runs this file before each test file. */
const holder = globalThis as { statementRecorder?: Recorder };

if (process.env.STATEMENTS_FOLDER && !holder.statementRecorder) {
  const recorder = new Recorder(process.env.STATEMENTS_FOLDER);
  holder.statementRecorder = recorder;
  subscribe('parley:statements', (event) => recorder.note(event as StatementEvent));
}

afterAll(() => holder.statementRecorder?.write());
