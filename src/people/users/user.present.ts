import { timestamp } from '#api';
import { equalInConstantTime, sign } from '#platform/crypto/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { languageOf } from './language.ts';
import { linkPreviewsOf } from './link-previews.ts';
import {
  defaultPrefs,
  type Installer,
  type Prefs,
  prefNames,
  type SessionUser,
  type UnreadCounts,
  type UserProfile,
  type UserSummary,
} from './user.schema.ts';
import { whereaboutsOf } from './whereabouts.ts';

export const imageVariants = ['default', 'original', 'fullwidth', 'square300', 'icon'] as const;
export type ImageVariant = (typeof imageVariants)[number];

/** The columns of a summary that all who see a person may see, beside the id. */
export const namedFields = [
  'username',
  'first_name',
  'last_name',
  'title',
  'active',
  'email',
  'image_version',
] as const;

/** The columns of a user that a summary needs; lists select no more. */
export const summaryFields = [
  'id',
  ...namedFields,
  'online_until',
  'status_json',
  'do_not_disturb_until',
] as const;
export type PersonRow = Pick<UserRow, (typeof summaryFields)[number]>;
type Passing = 'status_json' | 'do_not_disturb_until';
export type SummaryRow = Omit<PersonRow, Passing> &
  /** Read only where an application may stand among people, and where it matters how people are. */
  Partial<Pick<UserRow, 'is_application' | Passing>>;

export type UserPresenter = ReturnType<typeof userPresenter>;

/** Turns rows into the shapes of the interface. */
export function userPresenter(deps: { clock: Clock; imageKey: Buffer; baseUrl: () => string }) {
  const { clock, imageKey, baseUrl } = deps;

  const isOnline = (row: SummaryRow) => row.active === 1 && row.online_until > clock();

  /** Applications show pictures to browsers that are not signed in here, so the address itself is the permission. */
  const imageSignature = (userId: string, version: string | null) =>
    sign(imageKey, `image ${userId} ${version ?? 'initials'}`).slice(0, 22);

  function image(row: SummaryRow) {
    const signature = imageSignature(row.id, row.image_version);
    const url = (variant: ImageVariant) => `${baseUrl()}/v1/users/${row.id}/image/${variant}/${signature}`;
    return {
      default: url('default'),
      original: url('original'),
      fullwidth: url('fullwidth'),
      square300: url('square300'),
      icon: url('icon'),
    };
  }

  /** A deleted user cannot be mentioned, because their user name is free again. */
  const usernameOf = (row: SummaryRow) => (row.email === '' ? '' : row.username);

  /** The author of an application has no account that could be closed. */
  const isActive = (row: SummaryRow) => row.active === 1 || row.is_application === 1;

  const ofApplication = (row: SummaryRow) => (row.is_application === 1 ? { is_application: true } : {});

  const images = (row: SummaryRow) => (row.image_version === null ? [] : [image(row)]);

  function summary(row: SummaryRow): UserSummary {
    return {
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      username: usernameOf(row),
      title: row.title,
      relationship: 0,
      active: isActive(row),
      online: isOnline(row),
      images: images(row),
      email: row.email,
      ...ofApplication(row),
      ...whereaboutsOf(row, clock()),
    };
  }

  function profile(row: SummaryRow & Pick<UserRow, 'email_verified' | 'time_zone'>): UserProfile {
    const { id, first_name, last_name, title, email } = row;
    const [username, active, online] = [usernameOf(row), isActive(row), isOnline(row)];
    const pictures = { image: image(row), images: images(row) };
    const email_verified = row.email_verified === 1;
    const about = { id, first_name, last_name, username, title, active, online, email, email_verified };
    const zone = row.time_zone === null || row.active === 0 ? {} : { time_zone: row.time_zone };
    return { ...about, ...pictures, ...zone, ...ofApplication(row), ...whereaboutsOf(row, clock()) };
  }

  function installer(row: UserRow, developer: boolean): Installer {
    return {
      id: row.id,
      username: row.username,
      first_name: row.first_name,
      last_name: row.last_name,
      title: row.title,
      location: row.location,
      company: row.company,
      origin: null,
      type: 0,
      relationship: 0,
      superuser: row.superuser === 1,
      developer,
      active: row.active === 1,
      online: isOnline(row),
      is_mutual_connection: false,
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
      images: images(row),
      alternate_emails: [],
      alternate_phone_numbers: [],
      pending_domains: [],
      companies: [],
      primary_phone_number: {},
      primary_email: {
        id: row.email_id,
        user_id: row.id,
        address: row.email,
        verified: row.email_verified === 1,
        company: null,
      },
    };
  }

  function sessionUser(row: UserRow, computed: { developer: boolean; unread: UnreadCounts }): SessionUser {
    const { status, do_not_disturb_until } = whereaboutsOf(row, clock());
    return {
      ...installer(row, computed.developer),
      facebook_id: null,
      online_info: null,
      password: null,
      unread_counts: computed.unread,
      prefs: prefsOf(row),
      language: languageOf(row),
      time_zone: row.time_zone,
      status: status ?? null,
      do_not_disturb_until: do_not_disturb_until ?? null,
      invisible: row.is_invisible === 1,
      link_previews: linkPreviewsOf(row),
    };
  }

  return {
    summary,
    profile,
    installer,
    sessionUser,
    image,
    imageAllowed: (row: SummaryRow, given: string) =>
      equalInConstantTime(imageSignature(row.id, row.image_version), given),
  };
}

/** For readers who see people and not their addresses. */
export const withoutAddresses = (users: UserPresenter): UserPresenter => ({
  ...users,
  summary: (row) => ({ ...users.summary(row), email: '' }),
});

/** A preference added later has its default until the user changes it. Unknown ones are ignored. */
export function prefsOf(row: Pick<UserRow, 'prefs_json'>): Prefs {
  return changedPrefs(defaultPrefs, JSON.parse(row.prefs_json) as Partial<Prefs>);
}

/** @returns all preferences, and nothing else */
export function changedPrefs(before: Prefs, changes: Partial<Prefs> = {}): Prefs {
  return Object.fromEntries(
    prefNames.map((name) => {
      const given: unknown = changes[name];
      return [name, typeof given === 'boolean' ? given : before[name]];
    }),
  ) as Prefs;
}
