import { expect, it } from 'vitest';
import { oldDatabase } from '../../test/support/old-database.ts';
import { newId } from '../platform/ids.ts';

const { select, insert, insertPerson, insertMessage, bringUpToDate } = oldDatabase('0015-notices');

it('an old database keeps the messages of which people are to be mailed, and shows what is unread in the inbox', async () => {
  const [author, reader] = [newId(), newId()];
  await insertPerson(author, 'author');
  await insertPerson(reader, 'reader');
  const message = (row = {}) => insertMessage({ author_id: author, ...row });
  const [unread, read, deleted, own] = [
    await message(),
    await message(),
    await message({ deleted_at: 1 }),
    await message(),
  ];
  for (const [message_id, read_at] of [
    [unread, null],
    [read, 1],
    [deleted, null],
  ])
    await insert('message_recipients', { user_id: reader, message_id, read_at });
  const state = { is_muted: 0, replies_read: 0 };
  await insert('message_states', { user_id: author, message_id: own, is_unread: 1, ...state });
  await insert('message_states', { user_id: author, message_id: read, is_unread: 0, ...state });
  const job = { cursor: reader, num_failures: 2, next_attempt_at: 7, created_at: 5 };
  const [waiting, reset] = [newId(), newId()];
  await insert('mail_jobs', { id: waiting, kind: 'message', message_id: unread, email_key: null, ...job });
  await insert('mail_jobs', {
    id: reset,
    kind: 'password_reset',
    message_id: null,
    email_key: 'a@b.c',
    ...job,
  });

  await bringUpToDate();
  expect(await select('SELECT * FROM notice_jobs')).toEqual([
    { id: waiting, kind: 'message', message_id: unread, ...job, lane: 0, source: '-' },
  ]);
  expect(await select('SELECT id FROM mail_jobs')).toEqual([{ id: reset }]);
  const entries = 'SELECT user_id, conversation_id, reasons, is_open FROM inbox_entries ORDER BY reasons';
  expect(await select(entries)).toEqual([
    { user_id: reader, conversation_id: unread, reasons: 'direct', is_open: 1 },
    { user_id: author, conversation_id: own, reasons: 'unread', is_open: 1 },
  ]);
});
