import { subscribe } from 'node:diagnostics_channel';
import type { StatementEvent } from '../../src/platform/db/statement.ts';
import { Recorder } from './executed.ts';

/** Loaded before the programs that tests start. Each statement is noted as it runs: tests kill some of them. */
const recorder = new Recorder(process.env.STATEMENTS_FOLDER ?? '');

subscribe('parley:statements', (event) => {
  // A bundle does not say where its statements are made.
  if ((event as StatementEvent).kind !== 'ran') return;
  recorder.note(event as StatementEvent);
  recorder.write();
});
