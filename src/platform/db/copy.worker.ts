import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

const { from, to } = workerData as { from: string; to: string };

/**
 * Runs in its own thread and on its own connection, so the copy is one consistent snapshot despite concurrent writes.
 */
const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
source.prepare('VACUUM INTO ?').run(to);
source.close();

const copy = new DatabaseSync(to, { readOnly: true });
const [result] = copy.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
copy.close();
if (result?.integrity_check !== 'ok') throw new Error(`the copy is not sound: ${result?.integrity_check}`);
