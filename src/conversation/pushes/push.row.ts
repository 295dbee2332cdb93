import { hash } from 'node:crypto';
import { newId } from '#platform/ids.ts';
import type { PushRow } from '#schema';

/** RFC 8030 §5.4: at most so many characters. */
const TOPIC_CHARACTERS = 32;

/** A push tells of so many messages at most. */
export const MOST_TOLD = 100;

/** A push service learns of a conversation only that it is the same one. */
export const topicOf = (conversation: string) =>
  hash('sha256', conversation, 'base64url').slice(0, TOPIC_CHARACTERS);

/** A test, unless the caller names a message. */
export const newPush = (device: { id: string; user_id: string }, topic: string, now: number): PushRow => ({
  id: newId(),
  subscription_id: device.id,
  user_id: device.user_id,
  topic,
  is_new: 1,
  is_shown: 0,
  message_id: null,
  invitation_id: null,
  reason: 'test',
  num_messages: 1,
  message_ids: '',
  next_attempt_at: now,
  lease_until: 0,
  created_at: now,
});
