import { existsSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder, PRIVATE_FILES } from '../../src/process/data-folder.ts';
import { isServed } from '../../src/process/held.ts';
import { Refusal } from '../../src/process/refusal.ts';

/** Marks a folder whose demo is not complete yet: a demo that was killed is begun again. */
const MARK = 'demo.unfinished';
/** The credentials of the example application. */
const CREDENTIALS = 'example.json';
const DATABASE = 'parley.db';
/** All that a demo makes in its folder. Nothing else is ever deleted there. */
const MADE = [
  ...PRIVATE_FILES,
  'files',
  CREDENTIALS,
  ...['', '-wal', '-shm', '-journal'].map((suffix) => `task-tracker.db${suffix}`),
  // Last: what a deletion that is broken off leaves is still known as a demo's.
  MARK,
];

export interface DemoFolder {
  /** Whether people and messages must be made. */
  readonly isNew: boolean;
  readonly credentials: string;
  readonly tasks: string;
  /** The demo is whole. */
  complete(): void;
  /** Deletes what this run has made, unless it is whole. */
  giveUp(): void;
}

/** Takes a folder of its own for the demo, or the one of an earlier demo. @throws Refusal for any other */
export function openDemoFolder(folder: string): DemoFolder {
  const at = (name: string) => join(folder, name);
  const was = existsSync(folder);
  makeDataFolder(folder);
  const isWhole = !existsSync(at(MARK)) && [DATABASE, CREDENTIALS].every((name) => existsSync(at(name)));
  if (!isWhole) begin(folder);
  let isUnfinished = !isWhole;
  return {
    isNew: !isWhole,
    credentials: at(CREDENTIALS),
    tasks: at('task-tracker.db'),
    complete: () => {
      rmSync(at(MARK), { force: true });
      isUnfinished = false;
    },
    giveUp: () => {
      if (!isUnfinished) return;
      empty(folder);
      if (!was && readdirSync(folder).length === 0) rmdirSync(folder);
    },
  };
}

/** Marks the folder before anything is made in it. What a demo that was killed has left there goes first. */
function begin(folder: string): void {
  const mark = join(folder, MARK);
  if (existsSync(mark)) {
    if (isServed(join(folder, DATABASE))) throw new Refusal(`A demo is running in ${folder} already.`);
    empty(folder);
  }
  if (readdirSync(folder).length > 0)
    throw new Refusal(
      `${folder} holds something that is no demo: move it away, or choose another place with DATA_DIR.`,
    );
  writeFileSync(mark, '', { mode: 0o600 });
}

function empty(folder: string): void {
  for (const name of MADE) rmSync(join(folder, name), { recursive: true, force: true });
}
