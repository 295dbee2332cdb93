import { expect, it } from 'vitest';
import { oldDatabase } from '../../test/support/old-database.ts';
import { newId } from '../platform/ids.ts';

const { select, insert, insertPerson, bringUpToDate } = oldDatabase('0019-mutes');

it('an old database keeps the pushes that wait, and has no mutes that end', async () => {
  const [person, session, device, push] = [newId(), newId(), newId(), newId()];
  await insertPerson(person);
  const signedIn = { token_hash: 'x', user_agent: '', address: '', created_at: 1, seen_at: 1, expires_at: 2 };
  await insert('sessions', { id: session, user_id: person, ...signedIn });
  const keys = { endpoint_hash: 'e', secret_ciphertext: 's', user_agent: 'u' };
  const state = { lane: 1, num_failures: 0, not_before: 0, created_at: 1 };
  await insert('push_subscriptions', { id: device, user_id: person, session_id: session, ...keys, ...state });
  const waiting = { topic: 't', is_new: 1, is_shown: 0, reason: 'direct', num_messages: 2, lease_until: 0 };
  await insert('pushes', { id: push, subscription_id: device, user_id: person, ...waiting, created_at: 1 });

  await bringUpToDate();
  expect(await select('SELECT id, num_messages, message_ids FROM pushes')).toEqual([
    { id: push, num_messages: 2, message_ids: '' },
  ]);
  expect(await select('SELECT * FROM mutes')).toEqual([]);
});
