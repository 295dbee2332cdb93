import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

const { from, to } = workerData as { from: string; to: string };

/** In a thread and with a connection of its own: it reads one state of the database, however much is written meanwhile. */
const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
source.prepare('VACUUM INTO ?').run(to);
source.close();

const copy = new DatabaseSync(to, { readOnly: true });
const [result] = copy.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
copy.close();
if (result?.integrity_check !== 'ok') throw new Error(`the copy is not sound: ${result?.integrity_check}`);
