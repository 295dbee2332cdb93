import dns from 'node:dns';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportedNames, misused, unused, type Words } from '../support/words.ts';

/**
 * The words of the glossary that once meant several things. An exported name may use one where it has its meaning, or where it
 * mirrors a public name: those are in `mirrors`, each with the public name.
 */
const WORDS: Words = {
  copy: {
    means: 'the database and the uploads at a second storage, kept up to date while the server writes',
    forms: ['copy', 'copies', 'copied', 'copier', 'copying'],
    in: ['ops/copy/', 'ops/doctor/copy.ts', 'src/cli/restore.ts', 'src/process/config-checks.ts'],
    mirrors: { 'src/schema/tables.ts': 'event_copies' },
  },
  lane: {
    means: 'the writes that may be in one group on PostgreSQL, as the posts to one team',
    forms: ['lane', 'lanes'],
    in: ['src/platform/db/gate.ts'],
    mirrors: { 'src/conversation/pushes/push.store.ts': 'lane: number' },
  },
  line: {
    means: 'a row of a text',
    forms: ['line', 'lines'],
    in: [
      'src/api/route/',
      'src/conversation/mails/mail.template.ts',
      'src/integration/incoming/payload.ts',
      'src/platform/mail/smtp-causes.ts',
      'src/platform/text/',
      'src/process/log-line.ts',
      'web/src/developers/builder/',
      'web/src/members/compose/rich-table.ts',
    ],
    mirrors: { 'ops/copy/catalogue.ts': '--line <line>' },
  },
  group: {
    means: 'writes that share a transaction and are answered after its commit',
    forms: ['group', 'groups', 'grouped', 'grouping'],
    in: ['src/platform/db/group.ts'],
    mirrors: {
      'sdk/block-elements.ts': '"option_groups"',
      'src/conversation/blocks/shapes/elements.ts': '"option_groups"',
      'src/integration/subscriptions/': 'The groups whose cursors the server keeps',
      'src/people/users/user.store.ts': 'people_groups',
      'src/schema/migrations/0001-initial.ts': 'people_groups',
      'src/schema/tables.ts': 'people_groups',
      'src/teams/erasing.store.ts': 'people_groups',
      'src/teams/group.routes.ts': '/v1/teams/{team}/groups',
      'src/teams/group.schema.ts': '/v1/teams/{team}/groups',
      'src/teams/group.service.ts': '/v1/teams/{team}/groups',
      'src/teams/group.store.ts': 'people_groups',
      'web/src/developers/queries.ts': 'The groups whose cursors the server keeps',
      'web/src/teams/called.ts': '/v1/teams/{team}/groups',
      'web/src/teams/groups.tsx': '/v1/teams/{team}/groups',
    },
  },
  batch: {
    means: 'items of one kind that a group carries out with the same statements, each with its own outcome',
    forms: ['batch', 'batches', 'batched'],
    in: ['src/api/idempotency/', 'src/platform/db/database.ts'],
    mirrors: {
      'src/conversation/mails/notification.store.ts': 'mail_batches',
      'src/integration/subscriptions/subscription.schema.ts': '"batch"',
      'src/schema/tables.ts': 'mail_batches',
    },
  },
  place: {
    means:
      'where an event stands among all, a message in the index, or a write in a log: what is later has a higher one',
    forms: ['place', 'places', 'placed', 'placing'],
    in: [
      'ops/copy/log-frames.ts',
      'src/conversation/live/',
      'src/conversation/messages/search/search.store.ts',
      'src/integration/subscriptions/consumer.store.ts',
      'src/integration/subscriptions/group.service.ts',
      'src/platform/db/standby.ts',
    ],
    mirrors: { 'src/conversation/mutes/mute.store.ts': 'place_id', 'src/conversation/pictures/': 'place_id' },
  },
  standing: {
    means: 'how somebody is a member of a team: the role, and whether it is muted or a favourite',
    forms: ['standing', 'standings'],
    in: [
      'src/conversation/mails/mail.facts.ts',
      'src/conversation/mails/mail.matter.ts',
      'src/teams/team.present.ts',
      'src/teams/team.schema.ts',
      'src/teams/team.store.ts',
    ],
  },
  reading: {
    means: 'what somebody has seen of the messages, and where they see it',
    forms: ['reading', 'readings'],
    in: ['src/conversation/messages/reading/', 'web/src/members/state/reading.ts'],
  },
  'look-up': {
    means: 'the road from an id to its row: what the caller may not see is not found',
    forms: ['look-up', 'look-ups', 'lookup', 'lookups'],
    in: ['src/api/route/look-up.ts'],
    mirrors: { 'src/platform/outbound/': 'dns.lookup' },
  },
  hold: {
    means: 'keep other programs out of a file or a folder',
    forms: ['hold', 'holds', 'held', 'holding', 'holdings'],
    in: ['ops/restore/lock.ts', 'src/process/held.ts'],
  },
};

/** Where public names stand: the interface, the tables, the command line, and Node.js. */
const PUBLIC = [
  ...['openapi.json', 'src/schema/tables.ts', 'src/cli/commands.ts'].map((file) =>
    readFileSync(file, 'utf8'),
  ),
  ...Object.keys(dns).map((name) => `dns.${name}`),
].join('\n');

const names = ['src/**/*.ts', 'ops/**/*.ts', 'sdk/**/*.ts', 'web/src/**/*.{ts,tsx}']
  .flatMap((glob) => globSync(glob))
  .filter((file) => !/\.test\.tsx?$|node_modules\//.test(file))
  .sort()
  .flatMap((file) => exportedNames(file, readFileSync(file, 'utf8')));

describe('exported names', () => {
  it('use a word of the glossary where it has its meaning', () => {
    expect(names.length).toBeGreaterThan(3000);
    expect(misused(WORDS, names)).toEqual([]);
  });

  it('use each word wherever the table lets them', () => {
    expect(unused(WORDS, names)).toEqual([]);
  });

  it('mirror public names that there are', () => {
    const mirrored = Object.values(WORDS).flatMap(({ mirrors }) => Object.values(mirrors ?? {}));
    expect(mirrored.filter((name) => !PUBLIC.includes(name))).toEqual([]);
  });
});

it('the glossary gives each of these words the same meaning', () => {
  const glossary = readFileSync('CONTRIBUTING.md', 'utf8');
  const rows = Object.entries(WORDS).map(([word, { means }]) => `| ${word} | ${means} |`);
  expect(rows.filter((row) => !glossary.includes(`\n${row}\n`))).toEqual([]);
});

describe('the check', () => {
  const words: Words = {
    lane: { means: 'a way', forms: ['lane', 'lanes'], in: ['roads/'], mirrors: { 'town/map.ts': 'lane_id' } },
    'look-up': { means: 'a search', forms: ['look-up', 'lookup'], in: ['library.ts'] },
  };
  const wrong = (file: string, source: string) =>
    misused(words, exportedNames(file, source)).map((fault) => fault.split(' says')[0]);

  it.each([
    'export const busLanes = 1;',
    'export function laneOf() {}',
    'export default class Lane {}',
    'export interface FairLane {}',
    'export type HTTPLane2 = 1;',
    'export const BUS_LANE = 1;',
    'export const { way: busLane } = town;',
    'const way = 1; export { way as lane };',
    "export { way as lane } from './way.ts';",
    "export * as lanes from './ways.ts';",
    'export const lookUpBook = 1;',
    'export type Lookup = 1;',
  ])('refuses in another folder: %s', (source) => {
    expect(wrong('town/bus.ts', source)).toHaveLength(1);
  });

  it.each([
    'export const planet = 1;',
    'export const lanesome = 1;',
    'export const look = 1, up = 2;',
    'const lane = 1; export const way = lane;',
    "export { lane } from '../roads/lane.ts';",
  ])('takes anywhere: %s', (source) => {
    expect(wrong('town/bus.ts', source)).toEqual([]);
  });

  it('takes the word in its folder, in its file and where it is mirrored, and nowhere beside', () => {
    const source = 'export const lane = 1;';
    const files = ['roads/a.ts', 'roads/deep/a.ts', 'town/map.ts', 'town/map.ts.ts', 'roadside/a.ts'];
    expect(files.flatMap((file) => wrong(file, source))).toEqual([
      'town/map.ts.ts: lane',
      'roadside/a.ts: lane',
    ]);
  });

  it('names what the table allows for nothing', () => {
    expect(unused(words, exportedNames('roads/a.ts', 'export const lane = 1;'))).toEqual([
      'lane: town/map.ts',
      'look-up: library.ts',
    ]);
  });
});
