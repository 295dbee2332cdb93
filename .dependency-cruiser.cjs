/**
 * The wings of src/, their domains, and which domain may import which: the arrows of docs/architecture.md. A wing with one
 * domain is that domain.
 */
const WINGS = {
  people: { users: ['exports'], accounts: ['audit', 'exports', 'users'] },
  teams: { teams: ['audit', 'erasure', 'exports', 'users'] },
  // Below both wings that know them.
  objects: { objects: ['erasure', 'teams'] },
  integration: {
    applications: ['audit', 'exports', 'users'],
    icons: ['applications', 'users'],
    callbacks: ['applications', 'erasure'],
    commands: ['applications', 'audit', 'installations', 'teams'],
    installations: ['applications', 'audit', 'callbacks', 'exports', 'teams', 'users'],
    subscriptions: ['applications', 'audit', 'callbacks', 'erasure', 'live', 'messages', 'notices', 'users'],
    incoming: ['audit', 'blocks', 'erasure', 'messages', 'teams', 'users'],
    oauth: ['applications', 'audit', 'erasure', 'exports', 'installations', 'teams', 'users'],
  },
  conversation: {
    attachments: ['exports'],
    blocks: [],
    emoji: ['audit', 'exports', 'users'],
    messages: ['audit', 'blocks', 'emoji', 'erasure', 'exports', 'objects', 'teams', 'users'],
    pictures: ['attachments'],
    previews: ['messages', 'pictures', 'users'],
    live: ['erasure', 'messages', 'teams', 'users'],
    mutes: ['exports', 'messages', 'teams'],
    notices: ['messages', 'mutes', 'teams', 'users'],
    scheduled: ['exports', 'messages', 'users'],
    inbox: ['exports', 'messages', 'mutes', 'notices', 'teams', 'users'],
    mails: ['audit', 'messages', 'mutes', 'notices', 'teams', 'users'],
    pushes: ['exports', 'messages', 'mutes', 'notices', 'teams', 'users'],
  },
  stewardship: {
    audit: [],
    backups: ['audit'],
    erasure: [],
    exports: ['audit'],
    operations: [],
  },
  web: { web: [] },
};
const ARROWS = Object.assign({}, ...Object.values(WINGS));
/** The rooms of the largest domain, conversation/messages: how a message looks to its reader is the ground floor. */
const ROOMS = {
  view: [],
  reading: ['view'],
  lists: ['view'],
  reactions: ['view'],
  saved: ['view'],
  pins: ['lists', 'view'],
  unfurls: ['direct', 'view'],
  search: ['lists', 'view'],
  direct: ['view'],
  versions: ['view'],
  quotes: ['view'],
  interactions: ['view'],
  forms: ['interactions', 'view'],
  homes: ['interactions', 'view'],
  files: ['direct', 'lists', 'view'],
  subjects: ['lists', 'reading', 'view'],
  posting: [
    'direct',
    'lists',
    'pins',
    'reading',
    'saved',
    'search',
    'subjects',
    'unfurls',
    'versions',
    'view',
  ],
  sidebars: ['lists', 'posting', 'view'],
  typing: ['direct', 'sidebars', 'subjects', 'view'],
  commands: ['direct', 'interactions', 'view'],
  answers: ['direct', 'forms', 'interactions', 'posting', 'view'],
  erasing: [],
};
/** The rooms of the web application's largest part: what a message is to the reader is below all that shows it. */
const MEMBER_ROOMS = {
  state: [],
  text: ['state'],
  // What is asked before something is saved for later.
  later: ['state'],
  compose: ['later', 'state', 'text'],
  subjects: ['state'],
  blocks: ['compose', 'state', 'text'],
  forms: ['blocks', 'state'],
  homes: ['blocks', 'state'],
  // A message is edited where it stands.
  message: ['blocks', 'compose', 'later', 'state', 'subjects', 'text'],
  views: ['compose', 'later', 'message', 'state', 'subjects', 'text'],
};
/** Where the files of a domain are. */
const FOLDERS = Object.fromEntries(
  Object.entries(WINGS).flatMap(([wing, domains]) =>
    Object.keys(domains).map((domain) => [domain, domain === wing ? `src/${wing}` : `src/${wing}/${domain}`]),
  ),
);
const foldersOf = (domains) => `^(${domains.map((domain) => FOLDERS[domain]).join('|')})/`;
const domains = Object.keys(ARROWS);
/** The parts of the web application: what each may import beside its own files. All may import `design` and what is below. */
const VIEWS = {
  storage: [],
  api: ['storage'],
  text: ['api', 'storage'],
  design: ['api', 'text', 'storage'],
  entry: [],
  account: ['emoji', 'entry'],
  search: ['members'],
  emoji: [],
  members: ['account', 'emoji', 'teams'],
  teams: [],
  // They try blocks as members see them.
  developers: ['members'],
  administration: ['teams'],
  shell: ['entry', 'members'],
  // The map opens every view.
  routes: ['entry', 'account', 'search', 'members', 'teams', 'developers', 'administration', 'shell'],
};
const FOUNDATION = ['storage', 'api', 'text', 'design'];
/** The rules for the folders in `folder`: what each may import beside its own files. */
function rulesOfRooms(name, folder, rooms) {
  const filesOf = (names) => `^${folder}/(${names.join('|')})/`;
  return [
    ...Object.entries(rooms).map(([room, others]) => ({
      name: `arrows-of-${name}-${room}`,
      severity: 'error',
      from: { path: filesOf([room]), pathNot: notTest },
      to: { path: `^${folder}/`, pathNot: filesOf([room, ...others]) },
    })),
    {
      name: `every-room-of-${name}-has-its-arrows`,
      severity: 'error',
      from: { path: `^${folder}/[^/]+/`, pathNot: [notTest, filesOf(Object.keys(rooms))] },
      to: {},
    },
  ];
}
const viewArrows = ([view, others]) =>
  [view, ...(FOUNDATION.includes(view) ? [] : FOUNDATION), ...others].join('|');
/** The folders of src/ that are no domain. */
const foundations = ['platform', 'api', 'schema', 'process', 'app', 'cli'];
const anyDomain = foldersOf(domains);
const notTest = '\\.test\\.ts$';

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'platform-knows-no-product',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: notTest },
      to: { path: '^(src|sdk|examples|test)/', pathNot: '^src/platform/' },
    },
    {
      name: 'api-knows-no-domain',
      severity: 'error',
      from: { path: '^src/(api|schema)/', pathNot: notTest },
      to: { path: '^src/', pathNot: '^src/(api|schema|platform)/|^src/process/config\\.ts$' },
    },
    {
      name: 'pictures-are-decoded-apart',
      comment: 'A picture may take all the memory of the process that opens it.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [notTest, '^src/platform/pictures/decoder\\.ts$', '^examples/demo/picture\\.ts$'],
      },
      to: { path: '(^|/)node_modules/sharp/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'people-take-turns',
      comment:
        'A queue that is first come, first served lets one person hold up all others: FairQueue takes turns.',
      severity: 'error',
      from: { path: '^src/', pathNot: notTest },
      to: { path: '(^|/)node_modules/(p-limit|p-queue|async-mutex|async-sema)/' },
    },
    ...domains.map((domain) => ({
      name: `${domain}-by-its-index`,
      severity: 'error',
      from: { path: '^(src|ops|tools|examples)/', pathNot: [notTest, foldersOf([domain])] },
      to: { path: foldersOf([domain]), pathNot: `^${FOLDERS[domain]}/index\\.ts$` },
    })),
    ...domains.map((domain) => ({
      name: `arrows-of-${domain}`,
      severity: 'error',
      from: { path: foldersOf([domain]), pathNot: notTest },
      to: { path: anyDomain, pathNot: foldersOf([domain, ...ARROWS[domain]]) },
    })),
    {
      name: 'stewardship-stands-below-the-other-wings',
      comment:
        'Its engines are handed their steps and parts by the domains that own the rows; src/app joins them.',
      severity: 'error',
      from: { path: '^src/stewardship/', pathNot: notTest },
      to: { path: anyDomain, pathNot: '^src/stewardship/' },
    },
    ...rulesOfRooms('messages', 'src/conversation/messages', ROOMS),
    ...rulesOfRooms('members', 'web/src/members', MEMBER_ROOMS),
    {
      name: 'every-domain-has-its-arrows',
      severity: 'error',
      from: { path: '^src/', pathNot: [anyDomain, `^src/(${foundations.join('|')})/`] },
      to: {},
    },
    {
      name: 'the-program-stands-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: notTest },
      to: { path: '^(tools|sdk|examples|test|bench)/' },
    },
    {
      name: 'operations-know-no-product',
      comment: 'What they need of a domain they are handed by the command line, or by src/app.',
      severity: 'error',
      from: { path: '^ops/', pathNot: notTest },
      to: { path: '^(src|tools|sdk|examples|test|bench)/', pathNot: '^src/(platform|schema|process)/' },
    },
    {
      name: 'only-the-top-knows-operations',
      comment: 'A domain is handed them, and knows their shapes.',
      severity: 'error',
      from: { path: '^src/', pathNot: [notTest, '^src/(app|cli)/'] },
      to: { path: '^ops/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domains-know-no-process',
      severity: 'error',
      from: { path: anyDomain, pathNot: notTest },
      to: { path: '^src/process/' },
    },
    {
      name: 'only-the-top-joins-domains',
      severity: 'error',
      from: { path: '^src/', pathNot: [notTest, '^src/(app|cli)/'] },
      to: { path: '^src/(app|cli)/' },
    },
    {
      name: 'help-loads-no-server',
      comment: 'Modules of a command are loaded when it runs: help and refusals answer at once.',
      severity: 'error',
      from: { path: '^src/cli/(main|commands)\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(cli/(commands|needed-node|sources)|process/(config-error|printable|refusal|terminal|version)|platform/db/(damaged|schema-refused))\\.ts$',
        dynamic: false,
      },
    },
    {
      name: 'sdk-stands-alone',
      severity: 'error',
      from: { path: '^sdk/', pathNot: notTest },
      to: { pathNot: '^sdk/', dependencyTypesNot: ['core'] },
    },
    ...Object.entries(VIEWS).map((entry) => ({
      name: `views-of-${entry[0]}`,
      severity: 'error',
      from: { path: `^web/src/${entry[0]}/`, pathNot: notTest },
      to: {
        path: '^web/src/',
        pathNot: [
          `^web/src/(${viewArrows(entry)})/`,
          '^web/src/shell/(shortcuts|letters|windows|no-team|own-invitations)\\.tsx?$',
        ],
      },
    })),
    {
      name: 'every-view-has-its-arrows',
      severity: 'error',
      from: { path: '^web/src/[^/]+/', pathNot: `^web/src/(${Object.keys(VIEWS).join('|')})/` },
      to: {},
    },
    {
      name: 'the-web-application-knows-only-shapes',
      comment:
        'It is a client as any other: from the server it takes types, which are gone when it is built. The exceptions: both must read the name of a colour, the formatting of a message and of Slack alike, compare what people search for in the same way, agree which text shows nothing, whom it calls, which address leads inside the server, which links a text has and how emoji are called, and know the kinds of events, live and of subscriptions.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: {
        path: '^(src|sdk|examples|test|bench)/',
        pathNot:
          '^src/platform/text/(address|color|dialects|fold|formatting|inner-address|links|mentions|plain-text|repetition|seen)\\.ts$|^src/platform/text/emoji-names\\.json$|^src/conversation/live/catalogue\\.ts$|^src/integration/subscriptions/kinds\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'examples-use-the-sdk-only',
      severity: 'error',
      // The demo runs a server beside an example, and what is copied has the package of the SDK.
      from: { path: '^examples/', pathNot: [notTest, '^examples/demo/'] },
      to: { pathNot: '^((sdk|examples)/|parley-sdk$)', dependencyTypesNot: ['core'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
