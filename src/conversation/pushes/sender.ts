import { asUser } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { KeepLease, OnAttempt } from '#platform/jobs/index.ts';
import { isBrokenOff, type Outbound, type OutboundAnswer, retryAfterMs } from '#platform/outbound/index.ts';
import type { PushRow, PushSubscriptionRow } from '#schema';
import { languageOf } from '../../people/users/index.ts';
import { findAcceptableInvitation } from '../../teams/index.ts';
import { findMessages, type MessageView } from '../messages/index.ts';
import { listInMuted } from '../mutes/index.ts';
import {
  bytesOf,
  type Content,
  contentOf,
  invitationContent,
  type Reaction,
  testContent,
} from './content.ts';
import type { HostSlots } from './hosts.ts';
import { encryptFor, type ReceiverKeys, readReceiverKeys } from './protocol/encryption.ts';
import { authorizationOf } from './protocol/vapid.ts';
import { isTold, settingsOf } from './push.settings.ts';
import {
  deletePush,
  idsIn,
  lockPush,
  postponePushes,
  releasePush,
  releaseShown,
  renewPush,
  settlePush,
} from './push.store.ts';
import { shownOf } from './shown.ts';
import { secretOf } from './subscription.service.ts';
import { deleteSubscriptions, findDevice, noteFailure, noteTold } from './subscription.store.ts';
import type { VapidKeys } from './vapid.service.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The delay after each failed attempt for a device; the last one repeats. */
export const PUSH_BACKOFF_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
/** RFC 8030 §5.2: how long a push service keeps a message that it cannot deliver. Attempts end after the same time. */
export const PUSH_LIFETIME_MS = DAY;
/** A device whose pushes have failed for this long is deleted. */
export const DEVICE_FORGOTTEN_MS = 14 * DAY;
/**
 * Readers skip a row that is locked, and one that is noted as shown just now is: each push is checked once more after this
 * time, so that a message that was read in that moment is withdrawn.
 */
const READING_MS = SECOND;
/** A push service that takes longer moves its device to the lane of failing ones. */
const SLOW_MS = 3 * SECOND;

/** Push services that end a subscription after a push that shows nothing: they get no withdrawals. */
const SHOWS_ALL = new Set(['web.push.apple.com']);

type Device = NonNullable<Awaited<ReturnType<typeof findDevice.first>>>;

/** @returns undefined where the person has seen all reactions to a message, or nobody else reacts to it any more */
export type FindReaction = (
  reader: Reader,
  userId: string,
  message: Pick<MessageView, 'id' | 'root_id' | 'sidebar_id'>,
) => Promise<Reaction | undefined>;
/** What a push tells of, as it is now. */
type Matter =
  | { readonly kind: 'test' }
  | { readonly kind: 'message'; readonly message: MessageView }
  | {
      readonly kind: 'invitation';
      readonly invitation: NonNullable<Awaited<ReturnType<typeof findAcceptableInvitation>>>;
    };

/** The contents to send, the longest first: a push service may refuse a long one. */
interface News {
  readonly contents: readonly Content[];
  /** RFC 8030 §5.3. */
  readonly urgency: 'high' | 'normal';
}

/** What a push sends, as it was at a time. */
interface Looked {
  readonly at: number;
  readonly device: Device;
  readonly news: News;
  /** It takes a notification away. */
  readonly withdraws: boolean;
}

type Result =
  | { readonly kind: 'told'; readonly durationMs: number }
  | { readonly kind: 'gone' }
  /** The server's stop ended the call. */
  | { readonly kind: 'broken_off' }
  | { readonly kind: 'failed'; readonly isFinal: boolean; readonly askedPauseMs: number };

/** `leaves`: the device shows a notification that is withdrawn later, unlike a test or a withdrawal. */
type Settled = Exclude<Result, { kind: 'broken_off' }> & { readonly leaves: boolean };

/** How long what was looked at is sent: after that it is looked at again. */
const LOOKED_GOOD_FOR_MS = SECOND;

/** Makes one attempt at a claimed push, outside of any transaction. */
export function pushSender(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  outbound: Outbound;
  vapid: VapidKeys;
  /** Where push services reach the operator; undefined where that is not known. */
  contact: () => string | undefined;
  keepLease: KeepLease;
  onAttempt: OnAttempt;
  /** Messages were pushed to a person who wants no mail about them. */
  onTold: (tx: Tx, told: { userId: string; messageIds: readonly string[] }) => Promise<unknown>;
  findReaction: FindReaction;
  hosts: HostSlots;
}) {
  const { db, clock, cipher, outbound, vapid, contact, keepLease, onAttempt, onTold, findReaction, hosts } =
    deps;

  return async function send(push: PushRow): Promise<void> {
    const found = await look(push);
    if (found === 'over') return drop(push);
    if (found === 'unwanted') return rest(push);
    if (found.withdraws && isAtOnce(push, found.device)) return drop(push);
    await attempt(push, found);
  };

  /** What to send, as things are now. */
  async function look(push: PushRow): Promise<Looked | 'over' | 'unwanted'> {
    const at = clock();
    const device = await findDevice.first(db, { id: push.subscription_id, now: at });
    const matter = await findMatter(db, push);
    if (!device || isOver(push)) return 'over';
    if (!matter) {
      const withdrawal = { contents: [{ kind: 'read', tag: push.topic }], urgency: 'normal' } as const;
      return { at, device, news: withdrawal, withdraws: true };
    }
    // Another message was read, or the person wants it no more since it waits.
    if (push.is_new === 0 || !isWanted(push, device, matter)) return 'unwanted';
    return { at, device, news: await newsOf(push, device, matter), withdraws: false };
  }

  function isWanted({ reason }: PushRow, device: Device, matter: Matter): boolean {
    if (matter.kind === 'test') return true;
    const teamId = matter.kind === 'message' ? matter.message.team_id : null;
    return isTold(device, { reason, teamId }, clock());
  }

  function isOver(push: PushRow): boolean {
    return push.is_new === 1 && clock() - push.created_at > PUSH_LIFETIME_MS;
  }

  /** Undefined once there is nothing to tell of: the message was read, or the invitation ended. */
  async function findMatter(reader: Reader, push: PushRow): Promise<Matter | undefined> {
    const { user_id: userId, invitation_id: id } = push;
    if (id !== null) {
      const invitation = await findAcceptableInvitation(reader, { userId, id, now: clock() });
      return invitation && { kind: 'invitation', invitation };
    }
    if (push.message_id === null) return { kind: 'test' };
    const message = await findWanted(reader, { ...push, message_id: push.message_id });
    return message && { kind: 'message', message };
  }

  /** The message as its reader sees it; undefined once it, or what was new of its reactions, is read, deleted or muted. */
  async function findWanted(
    reader: Reader,
    push: PushRow & { message_id: string },
  ): Promise<MessageView | undefined> {
    const [row] = await findMessages(reader, asUser(push.user_id), [push.message_id]);
    if (!row || row.deleted_at !== null || (await isSeen(reader, push, row))) return undefined;
    if (push.reason === 'mention') return row;
    if (row.is_muted === 1 || row.team_muted === 1) return undefined;
    const muted = await listInMuted.first(reader, { userId: push.user_id, ids: [row.id] });
    return muted ? undefined : row;
  }

  async function isSeen(reader: Reader, { user_id, reason }: PushRow, row: MessageView): Promise<boolean> {
    if (reason !== 'reaction') return Boolean(row.is_read);
    return (await findReaction(reader, user_id, row)) === undefined;
  }

  /** Counts the messages of a push that are neither read nor deleted. */
  async function countUnread(push: PushRow): Promise<number> {
    const told = await findMessages(db, asUser(push.user_id), idsIn(push.message_ids));
    return told.filter((row) => row.deleted_at === null && !row.is_read).length;
  }

  async function newsOf(push: PushRow, device: Device, matter: Matter): Promise<News> {
    const language = languageOf(device);
    if (matter.kind === 'test')
      return { contents: [testContent(language, push.topic, clock())], urgency: 'high' };
    const { content } = settingsOf(device.settings_json);
    if (matter.kind === 'invitation') {
      const shown = { ...matter.invitation, tag: push.topic, language, at: push.created_at };
      return {
        contents: [invitationContent(shown, content), invitationContent(shown, 'none')],
        urgency: 'high',
      };
    }
    const { message } = matter;
    const { topic: tag, reason } = push;
    const reaction = reason === 'reaction' ? await findReaction(db, push.user_id, message) : undefined;
    const numMessages = reaction?.numPeople ?? (await countUnread(push));
    const shown = await shownOf(db, { message, reaction, reason, numMessages, tag, language });
    return {
      contents: [contentOf(shown, content), contentOf(shown, 'none')],
      urgency: reason === 'team' || reason === 'reaction' ? 'normal' : 'high',
    };
  }

  /** Whether a withdrawal needs no call. */
  function isAtOnce(push: PushRow, device: Device): boolean {
    return push.is_shown === 0 || SHOWS_ALL.has(new URL(secretOf(cipher, device).endpoint).hostname);
  }

  async function attempt(push: PushRow, looked: Looked): Promise<void> {
    const { device } = looked;
    const { id, lease_until: leasedUntil } = push;
    const leave = hosts.take(device, new URL(secretOf(cipher, device).endpoint).host);
    // The push is claimed again when another call to the host has ended.
    if (!leave) return db.write((tx) => releasePush.run(tx, push));
    const lease = keepLease(leasedUntil, (tx, to) => renewPush.first(tx, { id, ...to }));
    const { news, result } = await callFor(push, looked).finally(() => Promise.all([lease.end(), leave()]));
    const held = { ...push, lease_until: await lease.end() };
    if (result.kind === 'broken_off') return db.write((tx) => releasePush.run(tx, held));
    onAttempt(result.kind === 'told' ? 'succeeded' : isFinal(result) ? 'given_up' : 'failed');
    const leaves = news.contents[0]?.kind === 'message';
    await db.write((tx) => settle(tx, held, device, { ...result, leaves }));
  }

  /** @returns what was sent, and how it went */
  async function callFor(push: PushRow, looked: Looked): Promise<{ news: News; result: Result }> {
    const { device } = looked;
    const { endpoint, ...given } = secretOf(cipher, device);
    const keys = readReceiverKeys(given) as ReceiverKeys;
    const key = await vapid();
    let { news, at } = looked;
    for (let next = 0; ; next += 1) {
      let [isLast, fits] = [true, true];
      const answer = await outbound.post(push.user_id, async () => {
        // It waited for others of its person: what it tells may have been read, deleted or muted since.
        if (Math.abs(clock() - at) > LOOKED_GOOD_FOR_MS) {
          const again = await look(push);
          if (typeof again === 'string' || again.withdraws !== looked.withdraws) return undefined;
          ({ news, at } = again);
        }
        const bodies = news.contents.map(bytesOf).filter((body) => body !== undefined);
        isLast = next >= bodies.length - 1;
        fits = bodies.length > 0;
        const body = bodies[Math.min(next, bodies.length - 1)];
        return (
          body && {
            url: endpoint,
            body: encryptFor(keys, body),
            headers: headersOf(push, { endpoint, key, news }),
          }
        );
      });
      if (!fits) return { news, result: { kind: 'failed', isFinal: true, askedPauseMs: 0 } };
      // It is looked at again from the beginning.
      if (!answer) return { news, result: { kind: 'broken_off' } };
      const isTooLong = answer.ok && answer.status === 413;
      if (!isTooLong || isLast) return { news, result: resultOf(answer, clock()) };
    }
  }

  function headersOf(
    push: PushRow,
    { endpoint, key, news }: { endpoint: string; key: Awaited<ReturnType<VapidKeys>>; news: News },
  ) {
    return {
      authorization: authorizationOf(key, endpoint, contact(), clock()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(PUSH_LIFETIME_MS / SECOND),
      topic: push.topic,
      urgency: news.urgency,
    };
  }

  async function settle(tx: Tx, push: PushRow, device: Device, result: Settled): Promise<void> {
    if (result.kind === 'gone') return deleteSubscriptions.run(tx, { ids: [device.id] });
    if (result.kind === 'failed') return fail(tx, push, device, result);
    const lane = result.durationMs > SLOW_MS ? 1 : 0;
    await noteTold.run(tx, { id: device.id, lane, now: clock() });
    if (!result.leaves) return remove(tx, push);
    await lockPush.first(tx, push);
    // A message that was read or deleted during the call is withdrawn, and an invitation that ended.
    const isWanted = (await findMatter(tx, push)) !== undefined;
    const next = isWanted ? clock() + READING_MS : clock();
    await settlePush.run(tx, { ...push, is_new: 0, is_shown: 1, next_attempt_at: next });
    await releaseShown.run(tx, push);
    if (push.message_id === null || settingsOf(device.settings_json).mail_too) return;
    const messageIds = [...new Set([...idsIn(push.message_ids), push.message_id])];
    await onTold(tx, { userId: push.user_id, messageIds });
  }

  async function fail(
    tx: Tx,
    push: PushRow,
    device: PushSubscriptionRow,
    { isFinal: isLast, askedPauseMs }: Extract<Result, { kind: 'failed' }>,
  ): Promise<void> {
    const now = clock();
    if (device.failing_since !== null && now - device.failing_since > DEVICE_FORGOTTEN_MS) {
      return deleteSubscriptions.run(tx, { ids: [device.id] });
    }
    const backOff = PUSH_BACKOFF_MS[Math.min(device.num_failures, PUSH_BACKOFF_MS.length - 1)] as number;
    const notBefore = now + Math.max(backOff, askedPauseMs);
    await noteFailure.run(tx, { id: device.id, now, notBefore });
    if (isLast) await remove(tx, push);
    else await settlePush.run(tx, { ...push, next_attempt_at: notBefore });
    await releasePush.run(tx, push);
    await postponePushes.run(tx, { subscriptionId: device.id, notBefore });
  }

  function drop(push: PushRow): Promise<void> {
    return db.write((tx) => remove(tx, push));
  }

  async function remove(tx: Tx, push: PushRow): Promise<void> {
    await deletePush.run(tx, push);
    await releasePush.run(tx, push);
  }

  function rest(push: PushRow): Promise<void> {
    return db.write(async (tx) => {
      await lockPush.first(tx, push);
      // The message may have been read or deleted since it was looked at.
      const isWanted = (await findMatter(tx, push)) !== undefined;
      await settlePush.run(tx, { ...push, is_new: 0, next_attempt_at: isWanted ? null : clock() });
      await releasePush.run(tx, push);
    });
  }
}

const isFinal = (result: Result) => result.kind === 'gone' || (result.kind === 'failed' && result.isFinal);

/** The answer of a push service (RFC 8030 §5 and §7.3): accepted, gone, to be repeated, or refused. */
function resultOf(answer: OutboundAnswer, now: number): Result {
  if (isBrokenOff(answer)) return { kind: 'broken_off' };
  if (!answer.ok) return { kind: 'failed', isFinal: answer.reason === 'refused_address', askedPauseMs: 0 };
  const { status, headers, durationMs } = answer;
  if (status >= 200 && status < 300) return { kind: 'told', durationMs };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const isRepeated = status === 429 || status >= 500;
  return { kind: 'failed', isFinal: !isRepeated, askedPauseMs: retryAfterMs(headers['retry-after'], now) };
}
