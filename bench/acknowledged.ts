import type { Database } from '#platform/db/index.ts';
import type { Target } from './load.ts';
import type { Subject } from './process.ts';

const SAMPLE = 50;

/** A server that is written to, and what it has acknowledged: the texts by the messages' ids. */
export interface Written {
  readonly server: Subject;
  readonly headers: Record<string, string>;
  readonly open: () => Promise<Database>;
  readonly acknowledged: Map<string, string>;
}

/** Notes what a target acknowledges. */
export const noting = (written: Written, target: Target): Target => ({
  ...target,
  onAnswer: (body) => {
    const [, id, text] = /"id":"([0-9a-f-]{36})".*?"text":"([^"]*)"/.exec(body) ?? [];
    if (id === undefined || text === undefined) throw new Error(`not a message: ${body.slice(0, 200)}`);
    written.acknowledged.set(id, text);
  },
});

/** Stops the server and audits it. @returns how many messages it had acknowledged @throws when one is missing */
export async function audit(written: Written): Promise<number> {
  const { server, open, acknowledged } = written;
  await expectFound(written);
  await server.stop();
  const db = await open();
  try {
    await expectStored(db, acknowledged);
    await expectNoGap(db, 'team_id', 'seq');
    await expectNoGap(db, 'root_id', 'reply_seq');
  } finally {
    await db.close();
  }
  return acknowledged.size;
}

/** @throws when one of some acknowledged messages is not found by its words */
async function expectFound({ server, headers, acknowledged }: Written): Promise<void> {
  const all = [...acknowledged];
  const sample = all.filter((_, index) => index % Math.ceil(all.length / SAMPLE) === 0);
  for (const [id, text] of sample) {
    const url = `${server.url}/v1/messages?q=${encodeURIComponent(text)}`;
    const answer = (await (await fetch(url, { headers })).json()) as { data: { id: string }[] };
    if (!answer.data.some((one) => one.id === id)) throw new Error(`${text} is not found by search`);
  }
}

/** @throws when an acknowledged message is missing. Ids are unique, so none is there twice. */
async function expectStored(db: Database, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const rows = await db.all<{ id: string; text: string }>('SELECT id, text FROM messages', []);
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  const lost = [...acknowledged].filter(([id, text]) => texts.get(id) !== text);
  if (lost.length > 0)
    throw new Error(`${lost.length} of ${acknowledged.size} acknowledged messages are missing`);
}

/** @throws when a place in a team or among replies has a gap, or two messages */
async function expectNoGap(
  db: Database,
  of: 'team_id' | 'root_id',
  place: 'seq' | 'reply_seq',
): Promise<void> {
  const wrong = await db.all<{ id: string }>(
    `SELECT ${of} AS id FROM messages WHERE ${place} IS NOT NULL GROUP BY ${of}
     HAVING min(${place}) <> 1 OR max(${place}) <> count(*) OR count(DISTINCT ${place}) <> count(*)`,
    [],
  );
  if (wrong.length > 0) throw new Error(`${place} has gaps: ${wrong.map(({ id }) => id).join(', ')}`);
}
