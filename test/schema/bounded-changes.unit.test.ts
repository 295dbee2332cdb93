import { globSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { sqliteSchemaOf } from '../../src/platform/db/index.ts';
import { migrations } from '../../src/schema/index.ts';

/**
 * A statement that deletes or changes any number of rows holds its locks, and on SQLite the one writer, for as long as that
 * takes. What cleans up uses `deletion` and `modification` of src/schema, which take a few hundred rows. All other statements
 * name rows by a key, by a list of keys or by a limit, or stand here with what bounds them.
 */
const BOUNDED: Readonly<Record<string, readonly string[]>> = {
  'made by the command line, while no server runs': [
    'deleteEverySecret',
    'endKeys',
    'forgetAnswers',
    'forgetMails',
    'forgetSubscriptions',
  ],
  'at the start of the only server of the embedded database': ['endCalls', 'endInstances', 'endLeases'],
  'of one group of people': ['deleteGroupUsers'],
  "of one message, or of its author's limits": [
    'deleteAnswersBelow',
    'deleteUnfurls',
    'deleteUnreadMarks',
    'deleteVersions',
    'dropOldVersions',
    'forgetResponses',
    'readForAll',
    'recheckMessage',
  ],
  'what one person did to messages of one team or conversation since they read it': [
    'deletePassedMarks',
    'deleteReadAhead',
    'deleteReadMarksUpTo',
    'readDirects',
    'readOwn',
    'readOwnUpTo',
    'readSidebars',
    'readTeams',
    'readUpTo',
  ],
  'of one message, for a day: what people pressed in it': ['deleteInteractions'],
  'of one person and subject, where each exception was made by hand': ['deleteMarksOfSubject'],
  'of one account, by limits on what it can make or ask for': [
    'deleteEveryInvitationBy',
    'deleteEveryJoinLinkBy',
    'deleteEveryToken',
    'deleteImages',
    'deleteInvitationMailsTo',
    'deleteInvitationsBy',
    'deleteInvitationsTo',
    'deleteInvitationsToAddress',
    'deleteJoinLinksBy',
    'deleteOtherSessions',
    'deleteResetsOf',
    'deleteTokens',
    'endWaiting',
    'forgetRemovals',
    'forgetWaitingJoins',
    'postponePushes',
    'setOnline',
    'takeWaitingJoins',
  ],
  'of one team, by the number of links that it may have': ['deleteExpiredJoinLinks'],
  'of one account, gone with the transaction that deletes it, since it holds an address or lets somebody in':
    ['deleteMailsTo', 'forgetAddresses', 'forgetAnswersTo', 'forgetAnswersToTokens', 'forgetStates'],
  'rights that end with the transaction that takes them away': [
    'deleteAgreementsOfApplication',
    'deleteAgreementsOfInstallation',
    'deleteAgreementsOfMember',
    'deleteAgreementsOfUser',
    'deleteUnusedCodesOfApplication',
    'deleteUnusedCodesOfInstallation',
    'deleteUnusedCodesOfMember',
    'deleteUnusedCodesOfPerson',
    'deleteUnusedCodesOfUser',
    'expireSecrets',
    'revokeGrantsOfApplication',
    'revokeGrantsOfInstallation',
    'revokeGrantsOfMember',
    'revokeGrantsOfPerson',
    'revokeGrantsOfUser',
    'deleteChoices',
    'deleteOfInstallation',
    'deleteFormsOfInstallation',
    'deleteHomesInTeam',
    'endLeading',
    'putToSleep',
  ],
  'of some messages, by limits on what each has': [
    'deleteAttempts',
    'deleteJobsAbout',
    'forgetResponsesOf',
    'partMessages',
    'releaseOf',
  ],
  'what a few people did in one team, or have on their devices': [
    'deleteExpired',
    'deleteMarks',
    'deleteNotifications',
    'deleteSubjectCursors',
    'leaveGroups',
    'recheckShown',
  ],
  'of one subscription or group: a row for each team': [
    'deleteConsumers',
    'deleteInstances',
    'deleteInstancesOf',
    'deleteCursors',
    'deleteCursorsOf',
    'freeTeams',
    'hurry',
    'setPlaces',
  ],
  'calls of one application about one team that wait': ['deferCalls', 'giveUpCalls', 'giveUpEvents'],
  'within a range of places that its caller bounds': ['deleteEvents'],
  'a list that its caller bounds': ['claimTeams'],
  'installations that wait for an answer when a server dies': ['failInterrupted'],
  'the people who are online at one server': ['renewLeases'],
};

/** A statement of the sources: where it stands, and its text from the table on. */
interface Found {
  readonly name: string;
  readonly table: string;
  readonly text: string;
}

function statementsIn(source: string): Found[] {
  const text = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...text.matchAll(/\b(?:deleteFrom|updateTable)\(\s*'(\w+)[^']*'\)/g)].map((match) => {
    const names = [
      ...text.slice(0, match.index).matchAll(/^(?:export )?(?:async )?(?:const|function) (\w+)/gm),
    ];
    const rest = text.slice(match.index);
    return {
      name: names.at(-1)?.[1] ?? '(none)',
      table: match[1] as string,
      text: rest.slice(0, /;\n|\n\}/.exec(rest)?.index),
    };
  });
}

/** The columns of each key of each table. */
function keysOfTables(): ReadonlyMap<string, readonly (readonly string[])[]> {
  const db = new DatabaseSync(':memory:');
  for (const sql of sqliteSchemaOf(migrations)) db.exec(sql);
  const column = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ name }) => String(name));
  const tables = column("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const keysOf = (table: string) => [
    column(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0`),
    ...column(`SELECT name FROM pragma_index_list('${table}') WHERE "unique" = 1`).map((index) =>
      column(`SELECT name FROM pragma_index_info('${index}')`),
    ),
  ];
  return new Map(tables.map((table) => [table, keysOf(table).filter((key) => key.length > 0)]));
}

const keys = keysOfTables();

/** The text without what it says about other tables: `exists (select … from messages where id = …)` names no row of this one. */
function aboutTable({ table, text }: Found): string {
  let own = text.replaceAll(/\.(?:whereRef|onRef)\([^()]*\)/g, '');
  for (let from = 0; ; ) {
    const begin = own.slice(from).search(/\b\w+\s*\.selectFrom\(/);
    if (begin < 0) return own;
    const [, of] = /^\w+\s*\.selectFrom\(\s*'(\w+)/.exec(own.slice(from + begin)) ?? [];
    from += begin + 1;
    if (of === undefined || of === table) continue;
    own = own.slice(0, from) + own.slice(endOfBrackets(own, from));
  }
}

/** Where the brackets end around a place. */
function endOfBrackets(text: string, place: number): number {
  let depth = 0;
  for (let at = place; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && depth-- === 0) return at;
  }
  return text.length;
}

function isBounded(found: Found): boolean {
  const text = aboutTable(found);
  if (text.includes('.limit(')) return true;
  const named = new Set(
    [
      ...text.matchAll(/'(?:\w+\.)?(\w+)', '=', (?!sql\.lit)/g),
      ...text.matchAll(/\bin(?:Id|Text)List\(\s*\w+,\s*'(?:\w+\.)?(\w+)'/g),
    ].map(([, name]) => name),
  );
  return (keys.get(found.table) ?? []).some((key) => key.every((name) => named.has(name)));
}

const all = globSync('src/**/*.ts')
  .filter((file) => !/\.test\.ts$|migrations\//.test(file))
  .flatMap((file) => statementsIn(readFileSync(file, 'utf8')));

it('no statement deletes or changes any number of rows', () => {
  const unbounded = all.filter((found) => !isBounded(found)).map(({ name }) => name);
  expect(all.length).toBeGreaterThan(150);
  expect([...new Set(unbounded)].sort()).toEqual(Object.values(BOUNDED).flat().sort());
});
