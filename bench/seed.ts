import { randomUUID } from 'node:crypto';
import { hashToken, randomToken } from '#platform/crypto/index.ts';
import { type Database, migrate, type Tx } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { migrations } from '../src/schema/index.ts';

/** A database with people, teams of several sizes, and an application that acts for the first person in each team. */
export interface Seed {
  /** One access token per team, by the team's size: a token reaches the team of its grant only. */
  readonly tokens: Readonly<Record<number, string>>;
  readonly refreshToken: string;
  readonly clientId: string;
  readonly teams: Readonly<Record<number, string>>;
  readonly userIds: readonly string[];
}

type Row = Record<string, string | number | null>;

/** Inserts rows straight into the tables, bypassing the services. */
export async function insert(tx: Tx, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  const values = names.map((_, index) => (tx.dialect === 'sqlite' ? '?' : `$${index + 1}`));
  await tx.all(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`,
    Object.values(row),
  );
}

const SCOPES = JSON.stringify(['messages:read', 'messages:write', 'direct:read', 'direct:write']);
const now = Date.now();
const made = { created_at: now, updated_at: now };

export function userRow(index: number): Row & { id: string } {
  return {
    id: newId(),
    username: `user${index}`,
    username_key: `user${index}`,
    email_id: newId(),
    email: `user${index}@example.org`,
    email_key: `user${index}@example.org`,
    email_verified: 1,
    password_hash: '',
    first_name: `First${index}`,
    last_name: `Last${index}`,
    name_key: `first${index} last${index}`,
    search_key: ` first${index} last${index} user${index}`,
    title: 'Engineer',
    location: '',
    company: '',
    superuser: 0,
    active: 1,
    prefs_json: '{}',
    image_version: null,
    online_until: 0,
    ...made,
  };
}

/** @param sizes of the teams; the acting person is a member of each */
export async function seed(db: Database, sizes: readonly number[], encryptedSecret: string): Promise<Seed> {
  await migrate(db, migrations, now);
  const users = Array.from({ length: Math.max(...sizes) }, (_, index) => userRow(index));
  const teams = Object.fromEntries(sizes.map((size) => [size, newId()]));
  const tokens = Object.fromEntries(sizes.map((size) => [size, randomToken()]));
  const refreshToken = randomToken();
  const clientId = randomUUID();
  const actor = users[0]?.id as string;
  await db.write(async (tx) => {
    for (const user of users) await insert(tx, 'users', user);
    for (const size of sizes) {
      const id = teams[size] as string;
      const team = { id, name: `Team of ${size}`, color: '#1f6feb', icon: '', num_members: size };
      await insert(tx, 'teams', { ...team, active: 1, message_seq: 0, ...made });
      for (const user of users.slice(0, size)) {
        const member = { team_id: id, user_id: user.id, membership_type: 2, is_muted: 0, is_favorite: 0 };
        await insert(tx, 'memberships', { ...member, inviter_id: actor, read_seq: 0, ...made });
      }
    }
    const urls = {
      base_url: 'https://a.example',
      preinstall_url: 'https://a.example/',
      redirect_uris_json: '[]',
    };
    const texts = { name: 'Bench', description: '', icon: '', scopes_json: SCOPES };
    await insert(tx, 'applications', {
      id: clientId,
      owner_id: actor,
      ...texts,
      ...urls,
      listed: 0,
      active: 1,
      ...made,
    });
    const secret = { application_id: clientId, ciphertext: encryptedSecret, created_at: now };
    await insert(tx, 'application_secrets', { id: newId(), ...secret });
    const expires_at = now + 3_600_000;
    for (const size of sizes) {
      const reach = { application_id: clientId, team_id: teams[size] as string, scopes_json: SCOPES };
      const installed = { status: 'active', installed_by: actor, pending_until: 0, ...made };
      await insert(tx, 'installations', { id: newId(), ...reach, ...installed });
      const agreed = { created_at: now, agreed_at: now };
      await insert(tx, 'agreements', { id: newId(), user_id: actor, ...reach, ...agreed });
      const grant_id = newId();
      await insert(tx, 'oauth_grants', { id: grant_id, user_id: actor, ...reach, created_at: now });
      const token_hash = hashToken(tokens[size] as string);
      await insert(tx, 'access_tokens', { token_hash, grant_id, expires_at });
      if (size === sizes[0])
        await insert(tx, 'refresh_tokens', { token_hash: hashToken(refreshToken), grant_id, expires_at });
    }
  });
  return { tokens, refreshToken, clientId, teams, userIds: users.map(({ id }) => id) };
}
