import { type Static, Type } from 'typebox';
import { Expecting, Nullable, Text, Timestamp, Uuid } from '#api';
import { localTime } from '#platform/time-zone.ts';

export const CONTENTS = ['none', 'sender', 'all'] as const;
export const LEVELS = ['all', 'mentions', 'nothing'] as const;
export type Level = (typeof LEVELS)[number];

const Content = Type.Unsafe<(typeof CONTENTS)[number]>(
  Type.String({
    enum: [...CONTENTS],
    description: 'What a notification shows: nothing, the sender, the text',
  }),
);
const Level = Type.Unsafe<Level>(Type.String({ enum: [...LEVELS] }));
const Time = Expecting(
  'must be a time of the day, as 22:00',
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
);
const Weekday = Type.Integer({ minimum: 1, maximum: 7, description: 'From 1, Monday, to 7, Sunday' });
const TeamLevels = Type.Array(Type.Object({ team: Uuid, level: Level }), {
  maxItems: 500,
  description:
    'Where it differs from `team_default`. `mentions`: what concerns the person (mentioned, answered, in a sidebar); ' +
    '`all`: every message. A change names only the teams that it changes',
});

const fields = {
  content: Content,
  direct: Type.Boolean({ description: 'Direct messages' }),
  reactions: Type.Boolean({ description: 'Reactions to the person’s own messages' }),
  team_default: Level,
  teams: TeamLevels,
  quiet_from: Nullable(Time),
  quiet_to: Nullable(Time),
  quiet_days: Type.Array(Weekday, { maxItems: 7, description: 'Days without any notification' }),
  time_zone: Text(64, { description: 'Of the quiet hours and days, as Europe/Berlin' }),
  paused: Type.Boolean(),
  paused_until: Nullable(Timestamp),
  mail_too: Type.Boolean({ description: 'Mails bring what was pushed, too, unless it was read by then' }),
};

export const PushSettings = Type.Object(fields, {
  $id: 'PushSettings',
  description:
    'Quiet hours are from `quiet_from` to `quiet_to`; both are null without any. `paused_until` is null for a pause ' +
    'that the person ends',
});
export type PushSettings = Static<typeof PushSettings>;

export const PushSettingsChange = Type.Partial(Type.Object(fields));
export type PushSettingsChange = Static<typeof PushSettingsChange>;

const DEFAULTS: PushSettings = {
  content: 'all',
  direct: true,
  reactions: false,
  team_default: 'mentions',
  teams: [],
  quiet_from: null,
  quiet_to: null,
  quiet_days: [],
  time_zone: 'UTC',
  paused: false,
  paused_until: null,
  mail_too: false,
};

/** @param json as it is stored: settings that came later are missing in it */
export function settingsOf(json: string | null | undefined): PushSettings {
  return { ...DEFAULTS, ...(JSON.parse(json ?? '{}') as Partial<PushSettings>) };
}

/** A message, as far as it decides whether a person is told. */
interface News {
  readonly reason: string;
  /** Null for a direct message. */
  readonly teamId: string | null;
}

/** A person who may be told of something. */
export interface Told {
  readonly settings_json: string | null | undefined;
  readonly do_not_disturb_until: number;
}

/** Whether a person is to be told of a message now. */
export const isTold = ({ settings_json, do_not_disturb_until }: Told, news: News, now: number): boolean =>
  do_not_disturb_until <= now && wants(settingsOf(settings_json), news, now);

/** Whether a person's settings let them be told of a message now. */
export function wants(settings: PushSettings, news: News, now: number): boolean {
  return isWanted(settings, news) && isTimely(settings, now);
}

/** Whether a person wants to be told of anything now. */
const isTimely = (settings: PushSettings, now: number): boolean =>
  !isPaused(settings, now) && !isQuiet(settings, now);

function isWanted(
  { direct, reactions, teams, team_default }: PushSettings,
  { reason, teamId }: News,
): boolean {
  if (reason === 'reaction' && !reactions) return false;
  if (teamId === null) return direct;
  const level = teams.find(({ team }) => team === teamId)?.level ?? team_default;
  return level === 'all' || (level === 'mentions' && reason !== 'team');
}

/** A pause with an end is over by itself. */
export function isPaused({ paused, paused_until: until }: PushSettings, now: number): boolean {
  return paused && (until === null || until * 1000 > now);
}

function isQuiet(
  { quiet_from: from, quiet_to: to, quiet_days, time_zone }: PushSettings,
  now: number,
): boolean {
  const hasHours = from !== null && to !== null && from !== to;
  // A local time is costly, and asked for at each message for each device.
  if (quiet_days.length === 0 && !hasHours) return false;
  const { day, time } = localTime(now, time_zone);
  if (quiet_days.includes(day)) return true;
  if (!hasHours) return false;
  // A night begins on one day and ends on the next.
  return from < to ? from <= time && time < to : from <= time || time < to;
}
