import { randomBytes } from 'node:crypto';
import { Conflict, lookUp, NotFound, timestamp } from '#api';
import { type Cipher, hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import type { IncomingWebhookRow } from '#schema';
import {
  findSummariesIn,
  insertAuthor,
  newAuthor,
  renameAuthor,
  type SummaryRow,
  setAuthorPicture,
  type UserPresenter,
  type Variants,
} from '../../people/users/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { accessTeamAsAdmin, lockTeam } from '../../teams/index.ts';
import { type IncomingWebhook, MOST_WEBHOOKS } from './webhook.schema.ts';
import {
  deleteWebhook,
  findBySecret,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  noteUse,
  updateWebhook,
} from './webhook.store.ts';

interface OfWebhook {
  readonly team: string;
  readonly webhook: string;
}

/**
 * Runs in the transaction in which the author of a webhook got another name or picture; joined in src/app. Its messages
 * show it.
 */
export type AuthorListener = (tx: Tx, of: { authorId: string; teamId: string }) => Promise<void>;

/** How exactly the time of the last use is kept: a write for each call would double them. */
const USE_MS = 60_000;

export type WebhookService = ReturnType<typeof webhookService>;

/** Addresses at which other programs post to a team; its admins make, renew and withdraw them. */
export function webhookService(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  present: UserPresenter;
  record: Recorder;
  onAuthorChange: AuthorListener;
  baseUrl: () => string;
}) {
  const { db, clock, cipher, present, record, onAuthorChange, baseUrl } = deps;

  const recordChange = (tx: Tx, teamId: string, part: 'webhooks' | 'webhook_address' = 'webhooks') =>
    record(tx, {
      action: 'team.changed',
      target: ['team', teamId],
      teamId,
      detail: { fields: [part] },
    });

  /** The secret part of the address, and its key where calls are signed. */
  function newSecrets(signed: boolean) {
    const secret = randomToken();
    const key = signed ? `whsec_${randomBytes(24).toString('base64')}` : undefined;
    return {
      stored: {
        secret_hash: hashToken(secret),
        key_ciphertext: key === undefined ? null : cipher.encrypt(key),
      },
      shown: { url: `${baseUrl()}/v1/hooks/${secret}`, ...(key !== undefined && { key }) },
    };
  }

  async function create(tx: Tx, userId: string, teamId: string, given: { name: string; signed?: boolean }) {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    // Two that come at once are counted one after the other.
    await lockTeam.first(tx, { id: team.id });
    const others = await listWebhooks.all(tx, { teamId: team.id });
    if (others.length >= MOST_WEBHOOKS)
      throw new Conflict('too_many_webhooks', `A team has at most ${MOST_WEBHOOKS} incoming webhooks`);
    const now = clock();
    const author = newAuthor({ id: newId(), name: given.name, now });
    await insertAuthor.run(tx, author);
    const { stored, shown } = newSecrets(given.signed ?? false);
    const row: IncomingWebhookRow = {
      id: newId(),
      team_id: team.id,
      author_id: author.id,
      created_by: userId,
      ...stored,
      created_at: now,
      updated_at: now,
      used_at: null,
    };
    await insertWebhook(tx, [row]);
    await recordChange(tx, team.id);
    return { ...(await presentOne(tx, row)), ...shown };
  }

  /** The road from an address to a webhook. @throws NotFound @throws NotAllowed */
  async function access(tx: Tx, userId: string, of: OfWebhook): Promise<IncomingWebhookRow> {
    const { id: teamId } = await accessTeamAsAdmin(tx, userId, of.team);
    return lookUp(of.webhook, (id) => lockWebhook.first(tx, { id, teamId }));
  }

  async function rename(tx: Tx, userId: string, of: OfWebhook, name: string): Promise<IncomingWebhook> {
    const row = await access(tx, userId, of);
    const changed = { ...row, updated_at: clock() };
    await renameAuthor.run(tx, newAuthor({ id: row.author_id, name, now: changed.updated_at }));
    return authorChanged(tx, changed);
  }

  /** Before an upload is read and decoded. @throws NotFound @throws NotAllowed */
  async function refuseOthers(userId: string, of: OfWebhook): Promise<void> {
    const { id: teamId } = await accessTeamAsAdmin(db, userId, of.team);
    await lookUp(of.webhook, (id) => findWebhook.first(db, { id, teamId }));
  }

  /** @param variants none for the initials of its name */
  async function setPicture(
    tx: Tx,
    userId: string,
    of: OfWebhook,
    variants?: Variants,
  ): Promise<IncomingWebhook> {
    const row = await access(tx, userId, of);
    const changed = { ...row, updated_at: clock() };
    await setAuthorPicture(tx, {
      id: row.author_id,
      now: changed.updated_at,
      ...(variants && { variants }),
    });
    return authorChanged(tx, changed);
  }

  async function authorChanged(tx: Tx, row: IncomingWebhookRow): Promise<IncomingWebhook> {
    await updateWebhook.run(tx, row);
    await recordChange(tx, row.team_id);
    await onAuthorChange(tx, { authorId: row.author_id, teamId: row.team_id });
    return presentOne(tx, row);
  }

  /** The address, and the key, that were used until now end at once. */
  async function renew(tx: Tx, userId: string, of: OfWebhook, signed: boolean | undefined) {
    const row = await access(tx, userId, of);
    const { stored, shown } = newSecrets(signed ?? row.key_ciphertext !== null);
    const changed = { ...row, ...stored, updated_at: clock() };
    await updateWebhook.run(tx, changed);
    await recordChange(tx, row.team_id, 'webhook_address');
    return { ...(await presentOne(tx, changed)), ...shown };
  }

  /** Its messages stay, without its picture. */
  async function withdraw(tx: Tx, userId: string, of: OfWebhook): Promise<void> {
    const row = await access(tx, userId, of);
    await setAuthorPicture(tx, { id: row.author_id, now: clock() });
    await deleteWebhook.run(tx, { id: row.id });
    await recordChange(tx, row.team_id);
    await onAuthorChange(tx, { authorId: row.author_id, teamId: row.team_id });
  }

  async function list(userId: string, teamId: string): Promise<IncomingWebhook[]> {
    const team = await accessTeamAsAdmin(db, userId, teamId);
    return presentAll(db, await listWebhooks.all(db, { teamId: team.id }));
  }

  const presentOne = async (reader: Reader, row: IncomingWebhookRow) =>
    (await presentAll(reader, [row]))[0] as IncomingWebhook;

  async function presentAll(reader: Reader, rows: readonly IncomingWebhookRow[]): Promise<IncomingWebhook[]> {
    const ids = rows.map((row) => row.author_id);
    const found = await findSummariesIn(reader, rows[0]?.team_id ?? LOWEST_ID, ids);
    const authors = new Map<string, SummaryRow>(found.map((author) => [author.id, author]));
    return rows.map((row) => ({
      id: row.id,
      team: row.team_id,
      author: present.summary(authors.get(row.author_id) as SummaryRow),
      signed: row.key_ciphertext !== null,
      created_by: row.created_by,
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
      used_at: row.used_at === null ? null : timestamp(row.used_at),
    }));
  }

  /** The webhook of an address. @throws NotFound */
  async function bySecret(secret: string): Promise<IncomingWebhookRow> {
    const row = await findBySecret.first(db, { secretHash: hashToken(secret) });
    if (!row) throw new NotFound();
    return row;
  }

  const keyOf = ({ key_ciphertext }: IncomingWebhookRow) =>
    key_ciphertext === null ? undefined : cipher.decrypt(key_ciphertext);

  async function used(row: IncomingWebhookRow): Promise<void> {
    const now = clock();
    if (now - (row.used_at ?? 0) < USE_MS) return;
    await db.write((tx) => noteUse.run(tx, { id: row.id, now }));
  }

  return { create, rename, refuseOthers, setPicture, renew, withdraw, list, bySecret, keyOf, used };
}
