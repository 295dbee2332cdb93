import { type Caller, Conflict, InvalidFields, NotAuthorized, UnknownUser } from '#api';
import { type Database, loadTogether, type Reader, type Tx, UniqueViolation } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { isTimeZone } from '#platform/time-zone.ts';
import type { UserRow } from '#schema';
import { emailKey } from './email.ts';
import { chosenLanguage } from './language.ts';
import { type LinkPreviews, linkPreviewsOf } from './link-previews.ts';
import { nameKey, searchKey } from './people-search.ts';
import { changedPrefs, prefsOf, type UserPresenter } from './user.present.ts';
import type { Language, Prefs, SessionUser, UnreadCounts, UserProfile } from './user.schema.ts';
import {
  anyUser,
  claimFirstAccount,
  deleteImages,
  eraseUser,
  findUser,
  findUserByEmail,
  findUsers,
  freeNames,
  groupNamed,
  insertUser,
  lockUser,
  type ProfileRow,
  updateActive,
  updateImageVersion,
  updatePassword,
  updateProfile,
  updateSuperuser,
  updateWhereabouts,
  usernameTaken,
} from './user.store.ts';
import { type GivenStatus, readQuiet, readStatus, type ShownStatus, whereaboutsOf } from './whereabouts.ts';

/** Fields of the session user from other domains; joined in src/app. */
export interface UserFacts {
  unreadCounts(db: Reader, userIds: readonly string[]): Promise<ReadonlyMap<string, UnreadCounts>>;
  developersAmong(db: Reader, userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether the two share a team that exists for the caller. */
  areConnected(db: Reader, caller: Caller, otherId: string): Promise<boolean>;
}

/**
 * Runs in the transaction of a change; joined in src/app. `isVisible`: everybody who knows the user can see the
 * change.
 */
export type UserListener = (tx: Tx, userId: string, isVisible: boolean) => Promise<void>;

export interface NewUser {
  readonly email: string;
  readonly passwordHash: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly title?: string | undefined;
  readonly language?: Language | undefined;
}

export interface UserChange {
  first_name?: string;
  last_name?: string;
  title?: string;
  location?: string;
  company?: string;
  username?: string;
  prefs?: Partial<Prefs>;
  language?: Language;
  time_zone?: string | null;
  link_previews?: Partial<LinkPreviews>;
  status?: GivenStatus | null;
  do_not_disturb_until?: number | null;
  invisible?: boolean;
}

/** How a person says that they are. */
export type WhereaboutsChange =
  | {
      readonly kind: 'status';
      readonly status: ShownStatus | null;
      readonly do_not_disturb_until: number | null;
    }
  | { readonly kind: 'visibility'; readonly isInvisible: boolean };

/** Runs in the transaction of the change; joined in src/app. */
export type WhereaboutsListener = (tx: Tx, userId: string, change: WhereaboutsChange) => Promise<void>;

/** The fields that others see wherever the user appears. */
const SHOWN = ['first_name', 'last_name', 'title', 'username'] as const;

/** Other products address everybody by these names: `@all` must not look as if it did. */
const FOR_MANY = ['everyone', 'all', 'team', 'here', 'channel'];
/** A person with one of these names could pass for the server or its operator (RFC 2142 lists most of them). */
const FOR_OPERATOR = [
  ...['admin', 'administrator', 'moderator', 'operator', 'owner', 'root', 'superuser', 'staff', 'sysadmin'],
  ...[
    'abuse',
    'billing',
    'help',
    'helpdesk',
    'hostmaster',
    'info',
    'noc',
    'postmaster',
    'security',
    'support',
  ],
  ...[
    'webmaster',
    'bot',
    'mailer-daemon',
    'no-reply',
    'noreply',
    'notifications',
    'parley',
    'server',
    'system',
  ],
];
/** Punctuation makes no other name: `no.reply` passes for `no-reply`. */
const lettersOf = (username: string) => username.toLowerCase().replaceAll(/[._-]/g, '');
const RESERVED = new Set([...FOR_MANY, ...FOR_OPERATOR].map(lettersOf));
/** Whether it stands for several people, or for the operator of the server. */
export const isReserved = (username: string) => RESERVED.has(lettersOf(username));

/** @throws InvalidFields for what is no name of a time zone */
export function checkTimeZone(zone: string | null | undefined): void {
  if (typeof zone !== 'string' || isTimeZone(zone)) return;
  const message = 'must be the name of a time zone, as Europe/Berlin';
  throw new InvalidFields({ field: 'time_zone', message });
}

export const addressConflict = () => new Conflict('email', 'This address has an account already');

export type UserService = ReturnType<typeof userService>;

export function userService(deps: {
  db: Database;
  clock: Clock;
  present: UserPresenter;
  facts: UserFacts;
  profiles: 'everyone' | 'connections';
  onChange: UserListener;
  onWhereabouts: WhereaboutsListener;
  /** @throws TooManyRequests for somebody who changes it again and again: others' windows hear each time */
  countWhereabouts: (userId: string) => void;
}) {
  const { db, clock, present, facts, profiles, onChange, onWhereabouts, countWhereabouts } = deps;

  async function sessionUsers(reader: Reader, ids: readonly string[]) {
    const [rows, developers, unread] = await Promise.all([
      findUsers.all(reader, { ids }),
      facts.developersAmong(reader, ids),
      facts.unreadCounts(reader, ids),
    ]);
    return rows.map((row) => ({
      row,
      developer: developers.has(row.id),
      unread: unread.get(row.id) as UnreadCounts,
    }));
  }

  const findSessionUser = loadTogether(
    (ids) => sessionUsers(db, ids),
    ({ row }) => row.id,
  );

  /**
   * @param onlyTeam limits the unread counts to this team
   * @throws NotAuthorized when the user is deleted or deactivated
   */
  async function sessionUser(reader: Reader, userId: string, onlyTeam?: string): Promise<SessionUser> {
    const found = reader === db ? await findSessionUser(userId) : (await sessionUsers(reader, [userId]))[0];
    if (found?.row.active !== 1) throw new NotAuthorized();
    const { row, developer, unread } = found;
    return present.sessionUser(row, { developer, unread: onlyTeam ? inTeam(unread, onlyTeam) : unread });
  }

  /** @throws UnknownUser for an id that is malformed, unknown, or not visible to the reader */
  async function profile(reader: Caller, id: string): Promise<UserProfile> {
    const known = parseId(id);
    const row = known && (await findUser.first(db, { id: known }));
    if (!row) throw new UnknownUser();
    const isPrivate = profiles === 'connections' || hasWhereabouts(row);
    const isKnown = !isPrivate || row.id === reader.userId || (await facts.areConnected(db, reader, row.id));
    if (profiles === 'connections' && !isKnown) throw new UnknownUser();
    return present.profile(isKnown ? row : { ...row, ...NOWHERE });
  }

  const hasWhereabouts = ({ status_json, do_not_disturb_until, time_zone, online_until }: UserRow) =>
    status_json !== null || do_not_disturb_until > 0 || time_zone !== null || online_until > clock();

  /** The first user of a server administers it. @throws Conflict when the address has an account */
  async function create(tx: Tx, user: NewUser): Promise<UserRow> {
    const now = clock();
    const username = await freeUsername(tx, user.email);
    const row: UserRow = {
      id: newId(),
      username,
      username_key: username.toLowerCase(),
      email_id: newId(),
      email: user.email.trim(),
      email_key: emailKey(user.email),
      email_verified: 0,
      password_hash: user.passwordHash,
      first_name: user.first_name,
      last_name: user.last_name,
      name_key: nameKey(user),
      search_key: searchKey({ ...user, username }),
      title: user.title ?? '',
      location: '',
      company: '',
      superuser: (await claimFirstAccount.first(tx, {})) ? 1 : 0,
      active: 1,
      prefs_json: JSON.stringify({ language: user.language }),
      image_version: null,
      online_until: 0,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      all_read_up_to: null,
      is_application: 0,
      time_zone: null,
      status_json: null,
      status_until: null,
      do_not_disturb_until: 0,
      is_invisible: 0,
    };
    if (await insertUser.first(tx, row)) return row;
    if (await findUserByEmail.first(tx, { emailKey: row.email_key })) throw addressConflict();
    // Another sign-up took the user name after it was looked up.
    const other = withEnding(username);
    const again = { ...row, username: other, username_key: other.toLowerCase() };
    if (await insertUser.first(tx, again)) return again;
    throw addressConflict();
  }

  const withEnding = (username: string) => `${username.slice(0, 50)}-${newId().slice(-8)}`;

  async function freeUsername(tx: Tx, email: string): Promise<string> {
    const wanted =
      email
        .split('@')[0]
        ?.replaceAll(/[^A-Za-z0-9._-]/g, '')
        .replace(/^[^A-Za-z0-9]+/, '')
        .slice(0, 50) || 'user';
    const taken = await usernameTaken.first(tx, { key: wanted.toLowerCase() });
    return taken || isReserved(wanted) ? withEnding(wanted) : wanted;
  }

  /** @throws Conflict when the user name is taken */
  async function change(tx: Tx, userId: string, changes: UserChange): Promise<void> {
    const row = await lockActive(tx, userId);
    checkTimeZone(changes.time_zone);
    const username = changes.username ?? row.username;
    if (username !== row.username && isReserved(username)) {
      const message = 'is reserved: it stands for several people, or for the operator of the server';
      throw new InvalidFields({ field: 'username', message });
    }
    const owner = await usernameTaken.first(tx, { key: username.toLowerCase() });
    if (owner && owner.id !== userId) throw usernameConflict();
    // In their teams, it would call both.
    if (username !== row.username && (await groupNamed.first(tx, { key: username.toLowerCase(), userId })))
      throw usernameConflict();
    const first_name = changes.first_name ?? row.first_name;
    const last_name = changes.last_name ?? row.last_name;
    const changed: ProfileRow = {
      id: row.id,
      username,
      username_key: username.toLowerCase(),
      first_name,
      last_name,
      name_key: nameKey({ first_name, last_name }),
      search_key: searchKey({ first_name, last_name, username }),
      title: changes.title ?? row.title,
      location: changes.location ?? row.location,
      company: changes.company ?? row.company,
      prefs_json: JSON.stringify({
        ...changedPrefs(prefsOf(row), changes.prefs),
        language: changes.language ?? chosenLanguage(row),
        link_previews: { ...linkPreviewsOf(row), ...changes.link_previews },
      }),
      time_zone: changes.time_zone === undefined ? row.time_zone : changes.time_zone,
      updated_at: clock(),
    };
    await updateProfile.run(tx, changed).catch((error: unknown) => {
      // Another user took the name after it was looked up.
      const isTaken = error instanceof UniqueViolation && error.constraint === 'users_username_key_key';
      throw isTaken ? usernameConflict() : error;
    });
    await changeWhereabouts(tx, row, changes);
    await onChange(
      tx,
      userId,
      SHOWN.some((field) => changed[field] !== row[field]),
    );
  }

  /** @throws InvalidFields */
  async function changeWhereabouts(tx: Tx, row: UserRow, changes: UserChange): Promise<void> {
    const { status, do_not_disturb_until: quiet, invisible } = changes;
    if (status === undefined && quiet === undefined && invisible === undefined) return;
    countWhereabouts(row.id);
    const now = clock();
    const { id, status_json, status_until } = row;
    const changed = {
      ...{ id, status_json, status_until },
      ...(status !== undefined && readStatus(status, now)),
      do_not_disturb_until: quiet === undefined ? row.do_not_disturb_until : readQuiet(quiet, now),
      is_invisible: invisible === undefined ? row.is_invisible : Number(invisible),
    };
    await updateWhereabouts.run(tx, changed);
    if (changed.is_invisible !== row.is_invisible)
      await onWhereabouts(tx, id, { kind: 'visibility', isInvisible: changed.is_invisible === 1 });
    const [before, after] = [whereaboutsOf(row, now), whereaboutsOf(changed, now)];
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const { status: shown = null, do_not_disturb_until = null } = after;
    await onWhereabouts(tx, id, { kind: 'status', status: shown, do_not_disturb_until });
  }

  const usernameConflict = () => new Conflict('username', 'This user name is taken');

  /** Locks and re-reads the row, so that no concurrent change is overwritten. */
  async function lockActive(tx: Tx, userId: string): Promise<UserRow> {
    const row = await lockUser.first(tx, { id: userId });
    if (row?.active !== 1) throw new NotAuthorized();
    return row;
  }

  /** Includes closed accounts, not deleted ones. @throws NotAuthorized */
  async function lock(tx: Tx, userId: string): Promise<UserRow> {
    const row = await lockUser.first(tx, { id: userId });
    if (!row || row.deleted_at !== null) throw new NotAuthorized();
    return row;
  }

  async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
    const { id } = await lock(tx, userId);
    await updatePassword.run(tx, { id, passwordHash, now: clock() });
  }

  async function setSuperuser(tx: Tx, userId: string, superuser: boolean): Promise<void> {
    const { id } = await lock(tx, userId);
    await updateSuperuser.run(tx, { id, superuser: Number(superuser), now: clock() });
  }

  async function setActive(tx: Tx, userId: string, active: boolean): Promise<void> {
    const { id } = await lock(tx, userId);
    await updateActive.run(tx, { id, active: Number(active), now: clock() });
  }

  async function setImageVersion(tx: Tx, userId: string, version: string | null): Promise<UserRow> {
    const row = await lock(tx, userId);
    const now = clock();
    await updateImageVersion.run(tx, { id: row.id, version, now });
    await onChange(tx, userId, true);
    return { ...row, image_version: version, updated_at: now };
  }

  /** Erases the user's personal data. The row stays as the author of their messages: "Deleted user". */
  async function erase(tx: Tx, userId: string): Promise<void> {
    await eraseUser.run(tx, { id: userId, now: clock() });
    await deleteImages.run(tx, { userId });
  }

  /**
   * Must come last in the transaction: on PostgreSQL a change of unique columns waits for all transactions that
   * reference the user, such as one that posts as them and has locked a team that the deletion needs too.
   */
  const release = (tx: Tx, userId: string) =>
    freeNames.run(tx, { id: userId, placeholder: `deleted:${userId}` });

  const byEmail = (reader: Reader, email: string) =>
    findUserByEmail.first(reader, { emailKey: emailKey(email) });

  const byId = (reader: Reader, id: string) => findUser.first(reader, { id });

  const anybody = async (reader: Reader) => (await anyUser.first(reader, {})) !== undefined;

  return {
    anybody,
    sessionUser,
    profile,
    create,
    change,
    lockActive,
    setPassword,
    setSuperuser,
    setActive,
    setImageVersion,
    erase,
    release,
    byEmail,
    byId,
    present,
  };
}

/** How a person is, and what time it is for them, is for those who share a team with them. */
const NOWHERE = { status_json: null, do_not_disturb_until: 0, time_zone: null, online_until: 0 };

/** The unread counts of one team alone. */
function inTeam({ teams }: UnreadCounts, team: string): UnreadCounts {
  const count = teams[team];
  const [total, direct] = [count ?? 0, 0];
  return {
    teams: count === undefined ? {} : { [team]: count },
    user: { total, direct },
    tags: { _sent: 0, _other: total, _inbox: total, _direct: direct, _unread: total },
  };
}
