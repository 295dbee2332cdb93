/** Which part may import which: the arrows of docs/architecture.md. A folder of src/ that is not listed imports nothing. */
const ARROWS = {
  users: [],
  audit: [],
  accounts: ['audit', 'users'],
  teams: ['audit', 'users'],
  applications: ['audit'],
  icons: ['applications', 'users'],
  callbacks: ['applications'],
  installations: ['applications', 'audit', 'callbacks', 'teams', 'users'],
  objects: ['applications', 'installations'],
  attachments: [],
  backups: ['attachments', 'audit'],
  oauth: ['applications', 'audit', 'installations', 'teams', 'users'],
  messages: ['objects', 'teams', 'users'],
  live: ['messages', 'teams'],
  mails: ['messages', 'teams', 'users'],
  erasure: ['audit', 'teams'],
  exports: ['accounts', 'applications', 'attachments', 'audit', 'users'],
  operations: [],
  web: [],
};
const domains = Object.keys(ARROWS);
/** The parts of the web application: what each may import beside its own files. All may import `design` and what is below. */
const VIEWS = {
  api: [],
  text: ['api'],
  design: ['api', 'text'],
  entry: [],
  account: ['entry'],
  search: ['members'],
  members: ['teams'],
  teams: [],
  developers: [],
  administration: [],
  shell: ['entry', 'members'],
  // The map opens every view.
  routes: ['entry', 'account', 'search', 'members', 'teams', 'developers', 'administration', 'shell'],
};
const FOUNDATION = ['api', 'text', 'design'];
const viewArrows = ([view, others]) =>
  [view, ...(FOUNDATION.includes(view) ? [] : FOUNDATION), ...others].join('|');
/** The folders of src/ that are no domain. */
const foundations = ['platform', 'api', 'schema', 'app', 'cli'];
const anyDomain = `^src/(${domains.join('|')})/`;
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
      to: { path: '^src/', pathNot: '^src/(api|schema|platform)/|^src/config\\.ts$' },
    },
    {
      name: 'domains-by-their-index',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: notTest },
      to: { path: anyDomain, pathNot: ['^src/[^/]+/index\\.ts$', '^src/$1/'] },
    },
    ...domains.map((domain) => ({
      name: `arrows-of-${domain}`,
      severity: 'error',
      from: { path: `^src/${domain}/`, pathNot: notTest },
      to: { path: anyDomain, pathNot: `^src/(${[domain, ...ARROWS[domain]].join('|')})/` },
    })),
    {
      name: 'every-domain-has-its-arrows',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${[...domains, ...foundations].join('|')})/` },
      to: {},
    },
    {
      name: 'the-program-stands-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: notTest },
      to: { path: '^(sdk|examples|test|bench)/' },
    },
    {
      name: 'domains-know-no-process',
      severity: 'error',
      from: { path: anyDomain, pathNot: notTest },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'only-the-top-joins-domains',
      severity: 'error',
      from: { path: '^src/', pathNot: [notTest, '^src/start\\.ts$', '^src/(app|cli)/'] },
      to: { path: '^src/start\\.ts$|^src/(app|cli)/' },
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
        pathNot: [`^web/src/(${viewArrows(entry)})/`, '^web/src/shell/shortcuts\\.ts$'],
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
        'It is a client as any other: from the server it takes types, which are gone when it is built.',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(src|sdk|examples|test|bench)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'examples-use-the-sdk-only',
      severity: 'error',
      from: { path: '^examples/', pathNot: notTest },
      to: { pathNot: '^(sdk|examples)/', dependencyTypesNot: ['core'] },
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
