import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { FileStore } from '#platform/files/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { InstallationRow, MessageStateRow, SessionRow, UserRow } from '#schema';
import { listOwned, presentApplication, scopesOf } from '../../integration/applications/index.ts';
import { listSessions } from '../../people/accounts/index.ts';
import { languageOf, listImages, prefsOf } from '../../people/users/index.ts';
import { entriesOfActor } from '../audit/index.ts';
import { type ExportPart, jsonFile, jsonListFile, once, pagesOf } from './export.part.ts';
import {
  type GrantView,
  type MembershipView,
  pageOfGrants,
  pageOfHighFives,
  pageOfInstallations,
  pageOfMemberships,
  pageOfStates,
} from './export.store.ts';
import { messagePart } from './message.part.ts';
import { uploadPart } from './upload.part.ts';

const PAGE = 500;
const LOWEST = '00000000-0000-0000-0000-000000000000';

/**
 * What a person has here, to take along. What others wrote, mails and secrets stay out; docs/operations.md lists both.
 * A domain that keeps more of a person adds a part here, or names it there.
 */
export function personalParts(deps: { db: Database; clock: Clock; files: FileStore }): readonly ExportPart[] {
  const { db, clock, files } = deps;
  return [
    (user) => jsonFile('profile.json', presentProfile(user)),
    async function* picture({ id: userId }) {
      for (const { variant, content } of await listImages.all(db, { userId })) {
        if (variant !== 'original') continue;
        yield { name: 'picture.webp', content: once(Buffer.from(content, 'base64')) };
      }
    },
    ({ id: userId }) =>
      jsonListFile(
        'memberships.json',
        presented(
          pagesOf<MembershipView>(PAGE, (last) =>
            pageOfMemberships.all(db, { userId, after: last?.team_id ?? LOWEST, limit: PAGE }),
          ),
          presentMembership,
        ),
      ),
    messagePart(db),
    ({ id: userId }) =>
      jsonListFile(
        'message_states.json',
        presented(
          pagesOf<MessageStateRow>(PAGE, (last) =>
            pageOfStates.all(db, { userId, after: last?.message_id ?? LOWEST, limit: PAGE }),
          ),
          (row) => ({
            message: row.message_id,
            is_muted: row.is_muted === 1,
            is_unread: row.is_unread === 1,
            replies_read: row.replies_read,
          }),
        ),
      ),
    uploadPart(db, files),
    ({ id: userId }) =>
      jsonListFile(
        'high_fives.json',
        presented(
          pagesOf<{ message_id: string; created_at: number }>(PAGE, (last) =>
            pageOfHighFives.all(db, { userId, after: last?.message_id ?? LOWEST, limit: PAGE }),
          ),
          (row) => ({ message: row.message_id, created_at: timestamp(row.created_at) }),
        ),
      ),
    async function* applications({ id: ownerId }) {
      const rows = await listOwned.all(db, { ownerId });
      yield* jsonFile(
        'applications.json',
        rows.map((row) => presentApplication(row, '')),
      );
    },
    ({ id: userId }) =>
      jsonListFile(
        'installations.json',
        presented(
          pagesOf<InstallationRow>(PAGE, (last) =>
            pageOfInstallations.all(db, { userId, after: last?.id ?? LOWEST, limit: PAGE }),
          ),
          presentInstallation,
        ),
      ),
    ({ id: userId }) =>
      jsonListFile(
        'grants.json',
        presented(
          pagesOf<GrantView>(PAGE, (last) =>
            pageOfGrants.all(db, { userId, after: last?.id ?? LOWEST, limit: PAGE }),
          ),
          presentGrant,
        ),
      ),
    async function* sessions({ id: userId }) {
      const rows = await listSessions.all(db, { userId, now: clock() });
      yield* jsonFile('sessions.json', rows.map(presentSession));
    },
    ({ id: userId }) => jsonListFile('audit.json', one(entriesOfActor(db, userId))),
  ];
}

async function* presented<Row>(
  pages: AsyncIterable<Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(present);
}

async function* one(items: AsyncIterable<object>): AsyncGenerator<object[]> {
  for await (const item of items) yield [item];
}

function presentProfile(user: UserRow) {
  const { id, username, email, first_name, last_name, title, location, company } = user;
  return {
    id,
    username,
    email,
    email_verified: user.email_verified === 1,
    first_name,
    last_name,
    title,
    location,
    company,
    active: user.active === 1,
    superuser: user.superuser === 1,
    prefs: prefsOf(user),
    language: languageOf(user),
    created_at: timestamp(user.created_at),
    updated_at: timestamp(user.updated_at),
  };
}

function presentMembership(row: MembershipView) {
  const { team_id, membership_type, is_muted, is_favorite, inviter_id, created_at, updated_at } = row;
  return {
    team: { id: team_id, name: row.team_name, active: row.team_active === 1 },
    membership_type,
    is_muted: is_muted === 1,
    is_favorite: is_favorite === 1,
    inviter: inviter_id,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}

function presentInstallation(row: InstallationRow) {
  const { id, application_id: application, team_id: team, status, reason } = row;
  return {
    id,
    application,
    team,
    status,
    reason,
    scopes: scopesOf(row),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

function presentGrant(row: GrantView) {
  return {
    id: row.id,
    application: { id: row.application_id, name: row.application_name },
    team: row.team_id,
    scopes: scopesOf(row),
    created_at: timestamp(row.created_at),
    agreed_at: timestamp(row.agreed_at),
    last_used_at: row.used_at === null ? null : timestamp(row.used_at),
  };
}

function presentSession({ id, user_agent, address, created_at, seen_at, expires_at }: SessionRow) {
  return {
    id,
    user_agent,
    address,
    created_at: timestamp(created_at),
    seen_at: timestamp(seen_at),
    expires_at: timestamp(expires_at),
  };
}
