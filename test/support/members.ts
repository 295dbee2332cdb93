import type { Tx } from '../../src/platform/db/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { query } from '../../src/schema/index.ts';

/** Adds a member who never signs in: for teams too large to fill by signing up. */
export async function insertMember(
  tx: Tx,
  member: { team: string; email: string; first_name: string; last_name: string; now: number },
): Promise<void> {
  const { team, email, first_name, last_name, now } = member;
  const id = newId();
  await query(tx, (q) =>
    q.insertInto('users').values({
      id,
      username: id,
      username_key: id,
      email_id: newId(),
      email,
      email_key: email,
      email_verified: 0,
      password_hash: '',
      first_name,
      last_name,
      name_key: first_name.toLowerCase(),
      search_key: '',
      title: '',
      location: '',
      company: '',
      superuser: 0,
      active: 1,
      prefs_json: '{}',
      image_version: null,
      online_until: 0,
      do_not_disturb_until: 0,
      is_invisible: 0,
      is_application: 0,
      created_at: now,
      updated_at: now,
    }),
  );
  await query(tx, (q) =>
    q.insertInto('memberships').values({
      team_id: team,
      user_id: id,
      membership_type: 2,
      is_muted: 0,
      is_favorite: 0,
      inviter_id: null,
      read_seq: 0,
      subjects_read: 0,
      created_at: now,
      updated_at: now,
    }),
  );
}
