import { expect, it } from 'vitest';
import { oldDatabase } from '../../test/support/old-database.ts';
import { newId } from '../platform/ids.ts';

const { select, insert, insertPerson, insertTeam, insertMessage, bringUpToDate } =
  oldDatabase('0011-message-versions');

it('an old database keeps the earlier texts of its messages, apart from the messages', async () => {
  const [author, team] = [newId(), newId()];
  await insertPerson(author);
  await insertTeam(team);
  const events = ['first „“ \\ "text"', 'second', 'x'.repeat(16_000)].map((text, index) => ({
    type: 'edited',
    user: author,
    created_at: 1_790_000_000.123 + index,
    text,
  }));
  const of = (seq: number) => ({ team_id: team, seq, author_id: author });
  const edited = await insertMessage({ ...of(1), events_json: JSON.stringify(events) });
  const deletion = JSON.stringify([{ type: 'deleted', user: author, created_at: 7.5 }]);
  const deleted = await insertMessage({ ...of(2), events_json: deletion, deleted_at: 7500 });
  const plain = await insertMessage(of(3));
  const direct = await insertMessage({ author_id: author, events_json: deletion, deleted_at: 7500 });
  for (const [message_id, seq] of [
    [deleted, 2],
    [plain, 3],
  ])
    await insert('read_marks', { user_id: author, team_id: team, message_id, seq, is_read: 0 });
  await insert('message_recipients', { user_id: author, message_id: direct, read_at: null });

  await bringUpToDate();
  expect(await select('SELECT * FROM message_versions ORDER BY place')).toEqual(
    events.map(({ text, created_at }, index) => ({
      message_id: edited,
      place: index + 1,
      text,
      replaced_at: Math.round(created_at * 1000),
    })),
  );
  const rows = await select<{ id: string; events_json: string }>('SELECT id, events_json FROM messages');
  expect(Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.events_json)]))).toEqual({
    [edited]: events.map(({ text, ...event }) => event),
    [deleted]: JSON.parse(deletion),
    [plain]: [],
    [direct]: JSON.parse(deletion),
  });
  expect(await select('SELECT message_id FROM read_marks')).toEqual([{ message_id: plain }]);
  expect(await select('SELECT read_at FROM message_recipients')).toEqual([{ read_at: 7500 }]);
});
