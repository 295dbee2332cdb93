import {
  ANSWERS_KEPT_MS,
  CALLS_IN_TURN,
  DEEPEST,
  EXCHANGE_MS,
  MOST_ITEMS,
  MOST_PROBLEMS,
  WORTH_TELLING,
} from '#api';
import { MIGRATION_LOCK_MS } from '#platform/db/migrate.ts';
import { STATEMENT_GRACE_MS } from '#platform/db/postgres-connection.ts';
import { MOST_LAG_MS, MOST_STATEMENT_MS } from '#platform/db/replica.ts';
import { LOOK_EVERY_MS } from '#platform/db/servers.ts';
import { LEASE_MS, RENEW_MS } from '#platform/jobs/index.ts';
import { ROWS_AT_ONCE } from '#platform/jobs/portions.ts';
import { IPV6_PREFIX } from '#platform/network.ts';
import { CALLS_OF_OWNER } from '#platform/outbound/index.ts';
import { FAILURE_KEPT_MS, LOOKUPS } from '#platform/outbound/resolver.ts';
import {
  DECODED_BYTES,
  DECODER_LIMITS,
  MAX_PICTURE_BYTES,
  PICTURES_WAITING,
} from '#platform/pictures/index.ts';
import { REMEMBERED_BYTES } from '#platform/remembering.ts';
import { MOST_COLUMNS, MOST_DEEP, MOST_ROWS } from '#platform/text/markdown/block-rules.ts';
import { readRecorded } from '../bench/measured.ts';
import { LOOK_MS, MOST_BETWEEN_BASES_MS, SWEEP_MS, UPLOADS_MS } from '../ops/copy/copier.ts';
import { MOST_AT_ONCE } from '../sdk/handling-order.ts';
import { HOUSEKEEPING_MS } from '../src/app/app.ts';
import { MEASURE_EVERY_MS } from '../src/app/start.ts';
import { NEEDED_MAJOR } from '../src/cli/needed-node.ts';
import { ARRIVING_MS, THUMBNAIL_EDGE } from '../src/conversation/attachments/index.ts';
import {
  LEAST_TYPED,
  MAX_BLOCKS_BYTES,
  MOST_BLOCKS,
  MOST_BLOCKS_OF_PAGE,
  MOST_PARTS,
  OF_CARD,
} from '../src/conversation/blocks/index.ts';
import {
  EMOJI_EDGE,
  LONGEST_NAME,
  MOST_EMOJI,
  MOST_EMOJI_BYTES,
  MOST_EMOJI_OF_PERSON,
  MOST_FRAMES,
} from '../src/conversation/emoji/index.ts';
import {
  BEAT_EVERY_MS,
  MOST_TYPING,
  MOST_WATCHED,
  PRESENCE_GRACE_MS,
  PRESENCE_LEASE_MS,
  TYPING_SHOWN_MS,
} from '../src/conversation/live/index.ts';
import {
  INVITATION_MAILS_PER_MS,
  MAIL_BACKOFF_MS,
  MAIL_SHOWS,
  MAX_TO_ADDRESS,
  MEMBERSHIP_EVERY_MS,
  MEMBERSHIP_MAILS_A_DAY,
  SAME_TEAM_EVERY_MS,
} from '../src/conversation/mails/index.ts';
import {
  GOOD_FOR_MS,
  INDEX_EVERY_MS,
  KEPT_MS,
  LONGEST_TITLE,
  MAX_ADDRESSEES,
  MAX_ATTACHMENTS,
  MAX_SIDEBAR_USERS,
  MAX_SUBJECT,
  MAX_UNFURLS,
  MOST_BEGUN,
  MOST_BELOW,
  MOST_KINDS,
  MOST_LEVELS,
  MOST_LOOKED_AT,
  MOST_OPEN_OF_MEMBER,
  MOST_OPEN_SUBJECTS,
  MOST_PEOPLE,
  MOST_PINS,
  MOST_QUOTED,
  MOST_REINDEXED,
  MOST_SAVED,
  MOST_STACKS,
  MOST_TERMS,
  MOST_TOLD,
  MOST_USES,
  MOST_VERSIONS,
  OFFERED_FOR_MS,
  OPEN_FOR_MS,
  OPENS_WITHIN_MS,
  OPTIONS_WITHIN_MS,
  PASS_EVERY_MS,
  REINDEXED_AT_ONCE,
  SEARCH_PATIENCE_MS,
  SEARCH_TURN_MS,
} from '../src/conversation/messages/index.ts';
import {
  LATEST_MS,
  MOST_PICTURES,
  MOST_PREVIEWS,
  MOST_REDIRECTS,
  MOST_STORED,
  OF_HOST,
  PAGE_BYTES,
  PARSED,
  PER_DAY,
  PER_MINUTE,
  PICTURE_BYTES,
  PREVIEW_EDGE,
  AT_ONCE as PREVIEWS_AT_ONCE,
  REMEMBERED_MS,
  VISIT_MS,
} from '../src/conversation/previews/index.ts';
import {
  DEVICE_FORGOTTEN_MS,
  MOST_DEVICES,
  PUSH_BACKOFF_MS,
  PUSH_LIFETIME_MS,
} from '../src/conversation/pushes/index.ts';
import {
  FILES_WAIT_MS,
  LATE_MS,
  LONGEST_REMINDER,
  MOST_OF_APPLICATION,
  MOST_UNSENT,
  SENT_KEPT_MS,
  SPAN_MS,
} from '../src/conversation/scheduled/index.ts';
import {
  DEFAULT_OVERLAP_S,
  LONGEST_COMMAND,
  MAX_LINK_PREFIXES,
  MOST_COMMANDS,
  MOST_OWNED,
  MOST_SHORTCUTS,
  ROTATION_PAUSE_MS,
} from '../src/integration/applications/index.ts';
import {
  BACKOFF_MS,
  FAILING_BEFORE_PAUSE_MS,
  FAILURES_BEFORE_PAUSE,
  MAX_CHANGES,
  NOTICE_LIFETIME_MS,
  PAUSES_MS,
} from '../src/integration/callbacks/index.ts';
import { ICON_REFRESH_MS, MAX_ICON_BYTES } from '../src/integration/icons/index.ts';
import { TOLD_ELSEWHERE_MS, TOLD_EVERY_MS } from '../src/integration/oauth/index.ts';
import {
  ACKNOWLEDGED_WITHIN_MS,
  KEY_OVERLAP_S,
  MOST_LINKS,
  MOST_UNACKNOWLEDGED,
  WEBHOOK_BACKOFF_MS,
} from '../src/integration/subscriptions/index.ts';
import {
  GUESS_EVERY_MS,
  REFUSED_ALTOGETHER,
  REFUSED_PER_ACCOUNT,
  SIGN_UP_NOTICE_EVERY_MS,
  TAKEN_EVERY_MS,
  TAKEN_IN_A_ROW,
  WARNING_EVERY_MS,
} from '../src/people/accounts/index.ts';
import { MIN_PASSWORD } from '../src/people/users/index.ts';
import { EDITS_CALL_MS } from '../src/platform/text/index.ts';
import { readConfig } from '../src/process/config.ts';
import { counted } from '../src/process/counted.ts';
import { MEMORY_OF_ONE, MOST_PROCESSES } from '../src/process/processes.ts';
import { Refusal } from '../src/process/refusal.ts';
import { GATHERING_MS } from '../src/process/siblings.ts';
import { ERASED_AT_ONCE, LATECOMERS_MS } from '../src/stewardship/erasure/index.ts';
import { BEHIND_S, MOST_DEVIATION_MS } from '../src/stewardship/operations/index.ts';
import { MOST_DOMAIN_RULES, MOST_GROUPS, MOST_IN_GROUP, MOST_JOIN_LINKS } from '../src/teams/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KIB = 1024;

/** In the largest unit that gives a whole number: a minute is not "60 seconds". */
export function interval(ms: number): string {
  const [unit, length] = largest(
    { day: DAY, hour: HOUR, minute: MINUTE, second: SECOND, millisecond: 1 },
    ms,
  );
  return counted(ms / length, unit);
}

export function bytes(size: number): string {
  const [unit, length] = largest({ GiB: KIB ** 3, MiB: KIB ** 2, KiB: KIB, byte: 1 }, size);
  return unit === 'byte' ? counted(size, unit) : `${size / length} ${unit}`;
}

function largest(units: Readonly<Record<string, number>>, value: number): [string, number] {
  const fits = Object.entries(units).find(([, length]) => value >= length && value % length === 0);
  if (!fits) throw new Error(`${value} is not a whole number of any unit`);
  return fits;
}

const million = (value: number) => `${value / 1_000_000} million`;
const count = (value: number) => value.toLocaleString('en');
const inAll = (waits: readonly number[]) => waits.reduce((sum, wait) => sum + wait, 0);
/** @throws when no day was recorded on this database */
function served(database: string): string {
  const name = `${database}: people served with notices on time`;
  const found = readRecorded().figures.find((figure) => figure.name === name);
  if (!found) throw new Error(`bench/measured.json has no "${name}"`);
  return count(found.value);
}

const aboutHours = (ms: number) => counted(Math.round(ms / HOUR), 'hour');

const defaults = readConfig({}, '');
const ofSeconds = (setting: number) => interval(setting * SECOND);
const ofDays = (setting: number) => counted(setting, 'day');

/**
 * The numbers in the documents, from the modules that define them. A document names one between `<!-- value: … -->`
 * and `<!-- /value -->`. Those in capitals are the defaults of settings.
 */
export const values: Readonly<Record<string, string>> = {
  ACCESS_TOKEN_LIFETIME: ofSeconds(defaults.ACCESS_TOKEN_LIFETIME),
  AUDIT_RETENTION: ofDays(defaults.AUDIT_RETENTION),
  CALLBACK_TIMEOUT: ofSeconds(defaults.CALLBACK_TIMEOUT),
  CODE_LIFETIME: ofSeconds(defaults.CODE_LIFETIME),
  CONFIRMATION_LIFETIME: ofSeconds(defaults.CONFIRMATION_LIFETIME),
  COPY_LOG_BYTES: bytes(defaults.COPY_LOG_BYTES),
  COPY_RETENTION: ofSeconds(defaults.COPY_RETENTION),
  COPY_SECONDS: ofSeconds(defaults.COPY_SECONDS),
  DELIVERY_RETENTION: ofDays(defaults.DELIVERY_RETENTION),
  BACKUP_EVERY: ofSeconds(defaults.BACKUP_EVERY),
  BACKUP_KEEP: String(defaults.BACKUP_KEEP),
  EVENTS_KEPT: ofDays(defaults.EVENTS_KEPT),
  INTERACTION_EXPIRY: ofSeconds(defaults.INTERACTION_EXPIRY),
  INVITATION_LIFETIME: ofSeconds(defaults.INVITATION_LIFETIME),
  MAIL_BATCH_SECONDS: ofSeconds(defaults.MAIL_BATCH_SECONDS),
  MAIL_RETENTION: ofSeconds(defaults.MAIL_RETENTION),
  MAX_TEXT_LENGTH: counted(defaults.MAX_TEXT_LENGTH, 'character'),
  SCHEDULED_DAYS: ofDays(defaults.SCHEDULED_DAYS),
  SCHEDULED_AT_ONCE: String(defaults.SCHEDULED_AT_ONCE),
  MAX_UPLOAD_BYTES: bytes(defaults.MAX_UPLOAD_BYTES),
  ORPHAN_LIFETIME: ofSeconds(defaults.ORPHAN_LIFETIME),
  PASSWORD_RESET_LIFETIME: ofSeconds(defaults.PASSWORD_RESET_LIFETIME),
  REFRESH_GRACE: ofSeconds(defaults.REFRESH_GRACE),
  REFRESH_TOKEN_LIFETIME: ofSeconds(defaults.REFRESH_TOKEN_LIFETIME),
  SESSION_LIFETIME: ofSeconds(defaults.SESSION_LIFETIME),
  SESSION_MAX_LIFETIME: ofSeconds(defaults.SESSION_MAX_LIFETIME),
  TEAM_RETENTION: ofDays(defaults.TEAM_RETENTION),
  'answers-kept': interval(ANSWERS_KEPT_MS),
  'attachments-of-a-message': count(MAX_ATTACHMENTS),
  'audit-refused-account': counted(REFUSED_PER_ACCOUNT.quota, 'time'),
  'audit-refused-all': counted(REFUSED_ALTOGETHER.quota, 'time'),
  'call-attempts': counted(BACKOFF_MS.length + 1, 'time'),
  'call-changes': counted(MAX_CHANGES, 'member'),
  'call-failures-before-pause': counted(FAILURES_BEFORE_PAUSE, 'failure'),
  'call-failing-before-pause': interval(FAILING_BEFORE_PAUSE_MS),
  'call-pause-first': interval(Math.min(...PAUSES_MS)),
  'call-pause-longest': interval(Math.max(...PAUSES_MS)),
  'call-retries-last': aboutHours(inAll(BACKOFF_MS)),
  'call-waits-at-most': interval(NOTICE_LIFETIME_MS),
  'clock-deviation': interval(MOST_DEVIATION_MS),
  processes: count(MOST_PROCESSES),
  'process-memory': bytes(MEMORY_OF_ONE),
  'queue-behind': ofSeconds(BEHIND_S),
  'metrics-gathered': ofSeconds(GATHERING_MS / 1000),
  'clock-measured-every': interval(MEASURE_EVERY_MS),
  'copy-whole-every': interval(MOST_BETWEEN_BASES_MS),
  'copy-uploads-first': interval(UPLOADS_MS),
  'copy-look': interval(LOOK_MS),
  'copy-compared': interval(SWEEP_MS),
  'direct-addressees': count(MAX_ADDRESSEES),
  'conversation-people': count(MOST_PEOPLE),
  'earlier-texts': count(MOST_VERSIONS),
  'reaction-kinds': count(MOST_KINDS),
  saved: count(MOST_SAVED),
  pins: count(MOST_PINS),
  previews: count(MOST_PREVIEWS),
  'pictures-of-blocks': count(MOST_PICTURES),
  'previews-at-once': count(PREVIEWS_AT_ONCE),
  'previews-of-host': count(OF_HOST),
  'previews-of-person': `${count(PER_MINUTE)} a minute`,
  'previews-of-day': `${count(PER_DAY)} a day`,
  'preview-stored': bytes(MOST_STORED),
  'preview-redirects': count(MOST_REDIRECTS),
  'preview-visit': interval(VISIT_MS),
  'preview-latest': interval(LATEST_MS),
  'preview-remembered': interval(REMEMBERED_MS),
  'preview-page': bytes(PAGE_BYTES),
  'preview-parsed': bytes(PARSED),
  'preview-picture': bytes(PICTURE_BYTES),
  'preview-edge': count(PREVIEW_EDGE),
  nesting: count(MOST_DEEP),
  'table-columns': count(MOST_COLUMNS),
  'table-rows': count(MOST_ROWS),
  'open-subjects': count(MOST_OPEN_SUBJECTS),
  'open-subjects-of-member': count(MOST_OPEN_OF_MEMBER),
  'subject-name': count(MAX_SUBJECT),
  'custom-emoji': count(MOST_EMOJI),
  'custom-emoji-of-person': count(MOST_EMOJI_OF_PERSON),
  'custom-emoji-bytes': bytes(MOST_EMOJI_BYTES),
  'custom-emoji-edge': count(EMOJI_EDGE),
  'custom-emoji-frames': count(MOST_FRAMES),
  'custom-emoji-name': count(LONGEST_NAME),
  'erased-at-once': counted(ERASED_AT_ONCE, 'row'),
  'erasure-second-pass': interval(LATECOMERS_MS),
  'event-comment-every': interval(BEAT_EVERY_MS),
  'feed-acknowledged-within': interval(ACKNOWLEDGED_WITHIN_MS),
  'feed-unacknowledged': counted(MOST_UNACKNOWLEDGED, 'event'),
  'items-by-hand': counted(MOST_ITEMS, 'item'),
  'levels-by-hand': counted(DEEPEST, 'level'),
  'needed-node': `Node.js ${NEEDED_MAJOR}`,
  'problems-of-an-answer': counted(MOST_PROBLEMS, 'problem'),
  'frozen-server-holds': ofSeconds(defaults.DATABASE_LOCK_TIMEOUT + defaults.DATABASE_IDLE_TIMEOUT),
  'guess-every-known-browser': interval(GUESS_EVERY_MS.known),
  'guess-every-network': interval(GUESS_EVERY_MS.network),
  'guess-every-unknown-browser': interval(GUESS_EVERY_MS.unknown),
  'housekeeping-every': interval(HOUSEKEEPING_MS),
  'decoded-avif': million(DECODED_BYTES.avif),
  'decoded-in-lines': `${million(DECODED_BYTES.inLines)} bytes`,
  'decoded-whole': million(DECODED_BYTES.whole),
  'decoder-cpu': interval(DECODER_LIMITS.mostCpuMs),
  'decoder-memory': bytes(DECODER_LIMITS.mostResident),
  'decoder-rests': interval(DECODER_LIMITS.idleMs),
  'icon-bytes': bytes(MAX_ICON_BYTES),
  remembered: bytes(REMEMBERED_BYTES),
  'icon-fetched-every': interval(ICON_REFRESH_MS),
  'indexed-within': interval(INDEX_EVERY_MS),
  'search-patience': interval(SEARCH_PATIENCE_MS),
  'search-turn': interval(SEARCH_TURN_MS),
  'served-postgres': served('PostgreSQL'),
  'served-sqlite': served('SQLite'),
  'reindexed-at-once': count(REINDEXED_AT_ONCE),
  'reindexed-most': count(MOST_REINDEXED),
  'reindexed-every': interval(PASS_EVERY_MS),
  'membership-mails-every': interval(MEMBERSHIP_EVERY_MS),
  'membership-mails-a-day': count(MEMBERSHIP_MAILS_A_DAY),
  'invitation-mails-address': count(MAX_TO_ADDRESS),
  'invitation-mails-counted': interval(INVITATION_MAILS_PER_MS),
  'invitation-mails-same-team-every': interval(SAME_TEAM_EVERY_MS),
  'ipv6-network': `/${IPV6_PREFIX}`,
  lease: interval(LEASE_MS),
  'lease-renewed-every': interval(RENEW_MS),
  'mail-shows': count(MAIL_SHOWS),
  'mail-retries-last': aboutHours(inAll(MAIL_BACKOFF_MS)),
  'password-shortest': counted(MIN_PASSWORD, 'character'),
  'presence-grace': interval(PRESENCE_GRACE_MS),
  'presence-lease': interval(PRESENCE_LEASE_MS),
  'presence-watched': counted(MOST_WATCHED, 'member'),
  'typing-people': count(MOST_TYPING),
  'typing-shown': interval(TYPING_SHOWN_MS),
  'typing-told': counted(MOST_TOLD, 'member'),
  'domain-rules': count(MOST_DOMAIN_RULES),
  'join-links': count(MOST_JOIN_LINKS),
  'edits-call': interval(EDITS_CALL_MS),
  'people-groups': count(MOST_GROUPS),
  'people-in-group': count(MOST_IN_GROUP),
  'push-devices': count(MOST_DEVICES),
  'push-device-forgotten': interval(DEVICE_FORGOTTEN_MS),
  'push-lifetime': interval(PUSH_LIFETIME_MS),
  'push-retry-first': interval(Math.min(...PUSH_BACKOFF_MS)),
  'push-retry-last': interval(Math.max(...PUSH_BACKOFF_MS)),
  'rates-exchanged-every': interval(EXCHANGE_MS),
  'rates-known-after': interval(2 * EXCHANGE_MS),
  'rates-not-told': `${100 * WORTH_TELLING} %`,
  'rows-cleaned-at-once': counted(ROWS_AT_ONCE, 'row'),
  'search-words': counted(MOST_TERMS, 'word'),
  'secret-overlap': interval(DEFAULT_OVERLAP_S * SECOND),
  'secret-rotations-apart': interval(ROTATION_PAUSE_MS),
  sidebars: String(MOST_BEGUN),
  'sidebar-people': counted(MAX_SIDEBAR_USERS, 'person', 'people'),
  'sign-up-notice-every': interval(SIGN_UP_NOTICE_EVERY_MS),
  'migration-lock': interval(MIGRATION_LOCK_MS),
  'primary-sought-every': interval(LOOK_EVERY_MS),
  'replica-lag': interval(MOST_LAG_MS),
  'replica-statement': interval(MOST_STATEMENT_MS),
  'statement-grace': interval(STATEMENT_GRACE_MS),
  'taken-addresses-every': interval(TAKEN_EVERY_MS),
  'taken-addresses-in-a-row': counted(TAKEN_IN_A_ROW, 'address', 'addresses'),
  'own-tokens-told': interval(TOLD_EVERY_MS),
  'own-tokens-told-elsewhere': interval(TOLD_ELSEWHERE_MS),
  'picture-bytes': bytes(MAX_PICTURE_BYTES),
  'pictures-waiting': count(PICTURES_WAITING.waitingOfSource),
  'thumbnail-edge': counted(THUMBNAIL_EDGE, 'pixel'),
  'upload-broken-kept': interval(ARRIVING_MS),
  'wrong-passwords-notice-every': interval(WARNING_EVERY_MS),
  'command-name': counted(LONGEST_COMMAND, 'character'),
  commands: counted(MOST_COMMANDS, 'command'),
  shortcuts: counted(MOST_SHORTCUTS, 'shortcut'),
  'link-prefixes': count(MAX_LINK_PREFIXES),
  'links-compared': count(MOST_LINKS),
  unfurls: counted(MAX_UNFURLS, 'card'),
  quoted: count(MOST_QUOTED),
  'response-lifetime': interval(GOOD_FOR_MS),
  'options-typed': counted(LEAST_TYPED, 'character'),
  'handlers-at-once': counted(MOST_AT_ONCE, 'handler'),
  'options-within': interval(OPTIONS_WITHIN_MS),
  'options-kept': interval(OFFERED_FOR_MS),
  'response-uses': counted(MOST_USES, 'time'),
  'ephemeral-kept': interval(KEPT_MS),
  'ephemeral-most': count(MOST_BELOW),
  'scheduled-most': String(MOST_UNSENT),
  'scheduled-most-application': String(MOST_OF_APPLICATION),
  'scheduled-late': interval(LATE_MS),
  'scheduled-span': interval(SPAN_MS),
  'scheduled-sent-kept': interval(SENT_KEPT_MS),
  'scheduled-files-wait': interval(FILES_WAIT_MS),
  'reminder-text': counted(LONGEST_REMINDER, 'character'),
  'form-kept': interval(OPEN_FOR_MS),
  'form-levels': count(MOST_LEVELS),
  'form-title': counted(LONGEST_TITLE, 'character'),
  'form-opens': interval(OPENS_WITHIN_MS),
  'forms-most': count(MOST_STACKS),
  'page-blocks': counted(MOST_BLOCKS_OF_PAGE, 'block'),
  blocks: counted(MOST_BLOCKS, 'block'),
  'block-parts': count(MOST_PARTS),
  'blocks-size': bytes(MAX_BLOCKS_BYTES),
  'card-blocks': counted(OF_CARD.blocks, 'block'),
  'card-bytes': bytes(OF_CARD.bytes),
  'files-looked-at': count(MOST_LOOKED_AT),
  'webhook-key-overlap': interval(KEY_OVERLAP_S * SECOND),
  'webhook-attempts': counted(WEBHOOK_BACKOFF_MS.length + 1, 'time'),
  'lookups-of-owner': count(LOOKUPS.ofSource),
  'calls-of-owner': count(CALLS_OF_OWNER),
  'failed-names-kept': interval(FAILURE_KEPT_MS),
  'applications-of-owner': counted(MOST_OWNED, 'application'),
  'asked-calls-at-once': count(CALLS_IN_TURN.ofSource),
  'asked-calls-waiting': count(CALLS_IN_TURN.waitingOfSource),
  'webhook-retries-last': aboutHours(inAll(WEBHOOK_BACKOFF_MS)),
};

/** Puts the numbers of today into a document. @throws Refusal for one that is not known, or a mark without its end */
export function withValues(file: string, document: string): string {
  const filled = document.replaceAll(
    /<!-- value: (\S+) -->(?:(?!<!--)[^\n])*<!-- \/value -->/g,
    (_, name: string) => `<!-- value: ${name} -->${known(file, name)}<!-- /value -->`,
  );
  const ends = filled.match(/<!-- \/value -->/g)?.length;
  if (filled.match(/<!-- value:/g)?.length !== ends)
    throw new Refusal(`${file}: each "<!-- value: … -->" needs its "<!-- /value -->" on the same line.`);
  return filled;
}

function known(file: string, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Refusal(`${file}: there is no value "${name}" in tools/values.ts.`);
  return value;
}
