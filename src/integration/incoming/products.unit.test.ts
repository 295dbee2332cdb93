import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fields, fieldsOf } from './payload.ts';
import { readPayload } from './read-payload.ts';

const textOf = (...payload: Parameters<typeof readPayload>): string => readPayload(...payload).text;

const examples = dirname(createRequire(import.meta.url).resolve('@octokit/webhooks-examples/package.json'));

/** Words and signs as a reader takes them in. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}:/]+/gu, ' ')
    .trim();
const firstLines = (text: string) => text.split('\n').slice(0, 3).join('\n');

const POINTS = new Set(['conclusion', 'state', 'severity', 'environment']);
/** Parts about others than what happened, and lists. */
const ASIDE = new Set([
  'repository',
  'repo',
  'sender',
  'organization',
  'installation',
  'base',
  'head',
  'workflow',
]);

/** Each conclusion, state, severity and environment of a payload. */
function pointsOf(value: unknown): string[] {
  return Object.entries(fieldsOf(value)).flatMap(([name, inner]) => {
    if (POINTS.has(name) && typeof inner === 'string') return /^\w/.test(inner) ? [inner] : [];
    return ASIDE.has(name) ? [] : pointsOf(inner);
  });
}

describe('each example of GitHub’s events says its point in the first three lines (claim: webhooks-of-products)', () => {
  for (const file of globSync(`${examples}/*/index.json`).sort()) {
    const events = JSON.parse(readFileSync(file, 'utf8')) as { name: string; examples: Fields[] }[];
    it.each(events)(`${file.slice(examples.length + 1)}: $name`, ({ name, examples: payloads }) => {
      // Without its header, too: proxies drop what they do not know.
      for (const payload of payloads)
        for (const event of [name, undefined]) {
          const text = textOf(payload, { event });
          const first = firstLines(text);
          const words = ` ${plain(first)} `;
          const login = (payload.sender as { login?: string } | undefined)?.login;
          for (const point of [...pointsOf(payload), ...(login === undefined ? [] : [login])])
            expect([text, words.includes(` ${plain(point)} `), point]).toEqual([text, true, point]);
          expect(first).toMatch(/https?:\/\/\S+\.\S+/);
          expect(text).not.toMatch(/^\s*[{}[]|"\w+":|\[object/m);
        }
    });
  }
});

const project = { path_with_namespace: 'bakery/oven', web_url: 'https://gitlab.example.org/bakery/oven' };
const user = { name: 'Ada', username: 'ada' };
const url = 'https://gitlab.example.org/bakery/oven/-/7';

it.each([
  [
    'issue',
    {
      object_attributes: {
        iid: 7,
        title: 'Too hot',
        state: 'opened',
        severity: 'high',
        action: 'update',
        url,
      },
    },
  ],
  ['merge_request', { object_attributes: { iid: 7, title: 'Fan', state: 'merged', action: 'merge', url } }],
  [
    'note',
    { object_attributes: { note: 'No', url }, merge_request: { iid: 7, title: 'Fan', state: 'opened' } },
  ],
  [
    'build',
    {
      build_name: 'dough',
      build_stage: 'test',
      build_status: 'failed',
      build_id: 7,
      environment: { name: 'prod' },
    },
  ],
  [
    'pipeline',
    { object_attributes: { id: 7, ref: 'main', status: 'failed', url }, merge_request: { state: 'opened' } },
  ],
  ['deployment', { status: 'success', environment: 'staging', deployable_url: url }],
  ['vulnerability', { object_attributes: { title: 'DoS', state: 'confirmed', severity: 'critical', url } }],
  ['milestone', { object_attributes: { iid: 7, title: 'v1', state: 'active' }, action: 'create' }],
  ['work_item', { object_attributes: { iid: 7, title: 'v1', state: 'closed', action: 'close', url } }],
  ['one_of_tomorrow', { object_attributes: { state: 'baked', door: 'closed' } }],
])('GitLab’s %s says its point in the first three lines (claim: webhooks-of-products)', (kind, fields) => {
  const text = textOf({ object_kind: kind, project, user, ...fields }, { event: undefined });
  const first = ` ${plain(firstLines(text))} `;
  const states = Object.entries({ ...fieldsOf(fields), ...fieldsOf(fieldsOf(fields).object_attributes) })
    .filter(([name]) => /^(?:build_)?(?:state|severity|environment|status)$/.test(name))
    .map(([, value]) => String(fieldsOf(value).name ?? value));
  for (const one of [...states, 'ada'])
    expect([text, first.includes(` ${one} `), one]).toEqual([text, true, one]);
  expect(first).toContain('https://gitlab');
});

/** As other products document them: what the first three lines say, and what is read of the rest. */
const PRODUCTS: readonly (readonly [
  product: string,
  payload: unknown,
  first: readonly string[],
  rest: readonly string[],
])[] = [
  [
    'Grafana before its alerting',
    {
      title: '[Alerting] Load is high',
      ruleId: 1,
      ruleName: 'Load',
      state: 'alerting',
      evalMatches: [{ value: 100, metric: 'High value', tags: { host: 'web-1' } }],
      ruleUrl: 'https://grafana.example.org/rule/1',
      imageUrl: 'https://grafana.example.org/1.png',
      message: 'Load is above 90',
    },
    ['[Alerting] Load is high', 'alerting', 'https://grafana.example.org/rule/1'],
    ['Load is above 90', 'evalMatches.1.value: 100', 'web-1', 'https://grafana.example.org/1.png'],
  ],
  [
    'Bitrise, whose states are numbers',
    {
      ...{ build_slug: 'b7', build_number: 42, app_slug: 'a1', build_status: 2 },
      build_triggered_workflow: 'nightly',
      git: { provider: 'github', src_branch: 'main', pull_request_id: 0, tag: null },
    },
    ['❌', 'Build 42', 'failed', 'main'],
    ['nightly', 'github'],
  ],
  [
    'Bugsnag, whose point lies beside the class',
    {
      account: { name: 'Bakery' },
      project: { name: 'oven', url: 'https://app.bugsnag.com/bakery/oven' },
      trigger: { type: 'firstException', message: 'New exception' },
      error: {
        ...{ exceptionClass: 'TypeError', message: 'bread is undefined', context: 'GET /bread' },
        ...{ url: 'https://app.bugsnag.com/bakery/oven/errors/x', severity: 'error', status: 'open' },
        releaseStage: 'production',
      },
    },
    ['TypeError: bread is undefined', 'production', 'https://app.bugsnag.com/bakery/oven/errors/x'],
    ['New exception', 'GET /bread'],
  ],
  [
    'SonarQube',
    {
      serverUrl: 'https://sonar.example.org',
      status: 'SUCCESS',
      project: { key: 'oven', name: 'Oven', url: 'https://sonar.example.org/dashboard?id=oven' },
      qualityGate: {
        name: 'SonarQube way',
        status: 'ERROR',
        conditions: [{ metric: 'coverage', status: 'ERROR', value: '58' }],
      },
    },
    ['SUCCESS', 'ERROR', 'https://sonar.example.org'],
    ['coverage', '58'],
  ],
  [
    'CircleCI',
    {
      type: 'workflow-completed',
      id: '1',
      workflow: { id: 'w', name: 'build', status: 'failed', url: 'https://app.circleci.com/pipelines/1' },
      project: { name: 'oven' },
      pipeline: { vcs: { branch: 'main', commit: { subject: 'Add the fan', author: { name: 'Ada' } } } },
    },
    ['failed', 'https://app.circleci.com/pipelines/1', 'Ada'],
    ['main'],
  ],
  [
    'Travis CI',
    {
      id: 1,
      number: '7',
      state: 'failed',
      status_message: 'Broken',
      build_url: 'https://travis.example.org/7',
      branch: 'main',
      author_name: 'Ada',
    },
    ['failed', 'Broken', 'https://travis.example.org/7'],
    ['main', 'Ada'],
  ],
  [
    'New Relic',
    {
      issueUrl: 'https://radar-api.service.newrelic.com/1',
      title: 'CPU is high',
      priority: 'CRITICAL',
      state: 'ACTIVATED',
      impactedEntities: ['web-1', 'web-2'],
      totalIncidents: 1,
    },
    ['CPU is high', 'CRITICAL', 'ACTIVATED', 'https://'],
    ['web-1, web-2'],
  ],
  [
    'Opsgenie',
    {
      action: 'Create',
      alert: {
        alertId: 'a',
        message: 'Disk is full',
        priority: 'P1',
        username: 'ada',
        tags: ['prod'],
        details: { host: 'db-1' },
      },
      source: { name: 'web', type: 'API' },
    },
    ['P1', 'ada'],
    ['Disk is full', 'db-1', 'prod'],
  ],
  [
    'UptimeRobot, as it lets people write it',
    {
      monitorURL: 'https://shop.example.org',
      monitorFriendlyName: 'Shop',
      alertTypeFriendlyName: 'Down',
      alertDetails: 'Timeout',
    },
    ['Shop', 'https://shop.example.org'],
    ['Down', 'Timeout'],
  ],
  [
    'Zabbix',
    {
      event_name: 'High load',
      event_severity: 'Disaster',
      event_status: 'PROBLEM',
      host_name: 'db-1',
      trigger_url: 'https://zabbix.example.org/1',
    },
    ['High load', 'Disaster', 'PROBLEM', 'https://zabbix.example.org/1'],
    ['db-1'],
  ],
  [
    'Vercel',
    {
      id: '1',
      type: 'deployment.error',
      payload: { target: 'production', name: 'oven', url: 'https://oven.vercel.app', user: { id: 'u' } },
    },
    ['https://oven.vercel.app'],
    ['production', 'deployment error'],
  ],
  [
    'Netlify',
    {
      id: '1',
      site_id: 's',
      state: 'error',
      name: 'oven',
      url: 'https://oven.netlify.app',
      branch: 'main',
      error_message: 'Build script failed',
      context: 'production',
    },
    ['oven', 'error', 'https://oven.netlify.app'],
    ['Build script failed', 'production'],
  ],
  [
    'Argo CD’s notifications, and Flux',
    {
      involvedObject: { kind: 'Kustomization', name: 'apps', namespace: 'flux-system' },
      severity: 'error',
      timestamp: '2026-11-22T08:00:00Z',
      message: 'Health check failed',
      reason: 'HealthCheckFailed',
      reportingController: 'kustomize-controller',
    },
    ['apps', 'error', 'Health check failed'],
    ['HealthCheckFailed', 'flux-system'],
  ],
  [
    'Docker Hub',
    {
      push_data: { pushed_at: 1417566161, pusher: 'ada', tag: 'latest' },
      callback_url: 'https://registry.hub.docker.com/hook/1/',
      repository: {
        repo_name: 'bakery/oven',
        repo_url: 'https://hub.docker.com/r/bakery/oven',
        status: 'Active',
      },
    },
    ['https://'],
    ['ada', 'latest', 'bakery/oven'],
  ],
  [
    'Harbor',
    {
      type: 'SCANNING_COMPLETED',
      operator: 'ada',
      event_data: {
        resources: [
          { tag: '1.0', resource_url: 'hub.example.org/oven:1.0', scan_overview: { severity: 'High' } },
        ],
      },
    },
    ['scanning completed', 'High'],
    ['High', 'hub.example.org/oven:1.0', 'ada'],
  ],
  [
    'Linear',
    {
      action: 'create',
      type: 'Issue',
      actor: { name: 'Ada' },
      data: { title: 'Too hot', priority: 2, state: { name: 'Todo' } },
      url: 'https://linear.app/bakery/issue/B-1',
    },
    ['Too hot', 'Todo', 'Ada', 'https://linear.app/bakery/issue/B-1'],
    ['issue create'],
  ],
  [
    'Trello',
    {
      action: { type: 'updateCard', memberCreator: { fullName: 'Ada' }, data: { card: { name: 'Dough' } } },
      model: { name: 'Bakery', url: 'https://trello.com/b/1' },
    },
    ['https://trello.com/b/1'],
    ['update card', 'Ada', 'Dough'],
  ],
  [
    'Ghost',
    {
      post: {
        current: {
          title: 'Bread',
          url: 'https://blog.example.org/bread',
          status: 'published',
          primary_author: { name: 'Ada' },
        },
        previous: { status: 'draft' },
      },
    },
    ['Bread', 'published', 'https://blog.example.org/bread'],
    ['Ada'],
  ],
  [
    'Home Assistant',
    {
      entity_id: 'sensor.oven',
      from_state: 'off',
      to_state: 'on',
      attributes: { friendly_name: 'Oven', temperature: 230 },
    },
    ['off', 'on'],
    ['sensor.oven', '230'],
  ],
  [
    'Proxmox',
    {
      title: 'Backup failed',
      message: 'VM 100: *failed*',
      severity: 'error',
      timestamp: 1700000000,
      fields: { hostname: 'pve' },
    },
    ['Backup failed', 'error', 'VM 100'],
    ['pve'],
  ],
  [
    'Falco',
    {
      output: 'A shell was spawned',
      priority: 'Notice',
      rule: 'Terminal shell',
      time: '2026',
      output_fields: { 'container.id': '4a', 'user.name': 'root' },
    },
    ['Notice', 'A shell was spawned'],
    ['Terminal shell', 'root'],
  ],
  [
    'Prefect, with a text beside its fields',
    { text: 'Flow run *oven* ended', state: 'Crashed', url: 'https://prefect.example.org/1' },
    ['Crashed', 'https://prefect.example.org/1', 'Flow run **oven** ended'],
    [],
  ],
];

describe('a product that is not known', () => {
  it.each(PRODUCTS)('%s', (_, payload, first, rest) => {
    const text = textOf(payload, { event: undefined });
    for (const one of first) expect(firstLines(text)).toContain(one);
    for (const one of rest) expect(text).toContain(one);
    expect(text).not.toMatch(/[{}]|"\w+":|\[object/);
  });

  it('all that is not understood is shown', () => {
    const rows = Array.from({ length: 300 }, (_, at) => ({ row: `r${at}`, deep: { a: { b: { c: at } } } }));
    const text = textOf({ title: 'Rows', rows, flag: false, none: null, empty: '' }, { event: undefined });
    for (const at of [0, 150, 299])
      expect(text).toContain(`rows.${at + 1}.row: r${at}\nrows.${at + 1}.deep.a.b.c: ${at}`);
    expect(text).toContain('flag: no');
    expect(text).not.toMatch(/none|empty/);
  });

  it('nothing of a title of several lines, or of a person, is lost', () => {
    const payload = { summary: 'one\ntwo', user: { name: 'Ada', role: 'baker' }, state: 'open' };
    const text = textOf(payload, { event: undefined });
    for (const said of ['one', 'two', 'by: Ada', 'user.role: baker', 'state: open'])
      expect(text).toContain(said);
  });

  it('what a known one has beside its own is shown, too', () => {
    const beside = { oven: { temperature: 230 } };
    for (const payload of [
      { attachments: [{ text: 'x', ...beside }] },
      { blocks: [{ type: 'oven', ...beside }] },
      { text: 'x', blocks: [{ type: 'divider' }], ...beside },
      { content: 'x', embeds: [{ title: 'y' }], ...beside },
      { content: 'x', embeds: [{ title: 'y', ...beside }] },
      { '@type': 'MessageCard', text: 'x', ...beside },
      { type: 'AdaptiveCard', body: [{ type: 'Oven', ...beside }] },
    ])
      expect(textOf(payload, { event: undefined })).toContain('oven.temperature: 230');
  });
});
