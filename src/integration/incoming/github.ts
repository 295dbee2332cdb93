import { strong } from '#platform/text/index.ts';
import { type Card, type Fact, signOf } from './card.ts';
import {
  at,
  beginningOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  listOf,
  nameOf,
  prose,
  textOf,
  valueText,
} from './payload.ts';
import { restOf } from './rest.ts';
import { emojiText, markdownText } from './texts.ts';
import { isVital, vitalsOf } from './vitals.ts';

const MOST_COMMITS = 10;
const MOST_TEXT = 500;

const shortened = (value: unknown) => {
  const text = textOf(value);
  return markdownText(text.length > MOST_TEXT ? `${beginningOf(text, MOST_TEXT)}…` : text);
};

/** The parts of a payload that have a title or a page of their own, by field; what is about others comes first. */
const THINGS = [
  'pull_request',
  'issue',
  'discussion',
  'release',
  'workflow_job',
  'workflow_run',
  'check_run',
  'check_suite',
  'deployment_status',
  'deployment',
  'alert',
  'security_advisory',
  'milestone',
  'package',
  'registry_package',
  'forkee',
  'workflow_job_run',
  'project_card',
  'project_column',
  'project',
  'projects_v2_item',
  'projects_v2',
  'merge_group',
  'rule',
  'build',
  'hook',
  'key',
  'label',
  'team',
  'member',
  'membership',
  'sponsorship',
  'marketplace_purchase',
  'run',
] as const;

/** Events whose thing is not the first that is there. */
const THING_OF: Readonly<Record<string, string>> = {
  deployment_status: 'deployment_status',
  deployment: 'deployment',
  check_suite: 'check_suite',
  label: 'label',
  membership: 'member',
  team: 'team',
  team_add: 'team',
};
const KINDS: Readonly<Record<string, string>> = {
  workflow_run: 'workflow',
  workflow_job: 'job',
  check_run: 'check',
  deployment_status: 'deployment',
  forkee: 'fork',
  registry_package: 'package',
  workflow_job_run: 'job',
  rule: 'branch protection rule',
  build: 'page build',
  run: 'workflow run',
  key: 'deploy key',
};
/** Read elsewhere, or the same in each payload. */
const ASIDE = new Set([
  ...[
    'action',
    'sender',
    'repository',
    'organization',
    'enterprise',
    'installation',
    'comment',
    'review',
    'thread',
  ],
  ...[
    'number',
    'ref',
    'ref_type',
    'pusher',
    'pusher_type',
    'workflow',
    'hook_id',
    'zen',
    'commit',
    'status',
    'state',
  ],
  ...[
    'description',
    'target_url',
    'sha',
    'name',
    'id',
    'avatar_url',
    'created_at',
    'updated_at',
    'client_payload',
  ],
]);

/** GitHub, Gitea and Forgejo: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export function readGitHub(payload: Fields, event: string | undefined): Card | undefined {
  const by =
    lineOf(at(payload.sender, 'login')) ||
    lineOf(at(payload.sender, 'username')) ||
    lineOf(at(payload.pusher, 'name'));
  const where = whereOf(payload);
  const isAdvisory = lineOf(at(payload.security_advisory, 'ghsa_id')) !== '';
  const isAbout = event !== undefined || payload.action !== undefined || payload.ref !== undefined;
  const isOfRepository = where !== '' && textOf(at(payload.repository, 'html_url')) !== '';
  if (!isAdvisory && !(by !== '' && (where !== '' || isAbout)) && !(isOfRepository && isAbout))
    return undefined;
  const head = (what: string) => joined([strong(where), joined([by, what], ' ')], ' · ');
  if (typeof payload.zen === 'string')
    return {
      title: joined([strong(where), payload.zen], ' · '),
      link: pageOf(payload),
      facts: by === '' ? [] : [{ name: 'by', value: by }],
    };
  if (Array.isArray(payload.commits) && payload.ref !== undefined) return readPush(payload, head);
  const kind = event ?? '';
  const field = [THING_OF[kind] ?? '', ...THINGS].find(
    (name) => Object.keys(fieldsOf(payload[name])).length > 0,
  );
  return field === undefined ? readBare(payload, kind, head) : readThing(payload, field, kind, head);
}

const whereOf = ({ repository, organization, enterprise, installation }: Fields) =>
  lineOf(at(repository, 'full_name')) ||
  lineOf(at(organization, 'login')) ||
  lineOf(at(enterprise, 'slug')) ||
  lineOf(at(installation, 'account', 'login'));

/** Where there is none of the thing itself. */
const pageOf = ({ repository, organization, sender, installation }: Fields): unknown => {
  const owner = lineOf(at(organization, 'login'));
  return (
    at(repository, 'html_url') ??
    at(installation, 'html_url') ??
    (owner === '' ? at(sender, 'html_url') : `https://github.com/${owner}`)
  );
};

/** What an event that has no action says of it. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  delete: 'deleted',
  gollum: 'changed the wiki',
  public: 'made public',
};

/** An event about the repository itself, or one with its fields beside it, such as a status. */
function readBare(payload: Fields, event: string, head: (what: string) => string): Card {
  const state = textOf(payload.state) || textOf(payload.status);
  const comment = fieldsOf(payload.comment);
  const kind = Object.hasOwn(VERBS, event) ? (VERBS[event] ?? '') : prose(event);
  const ref = joined([lineOf(payload.ref_type), lineOf(payload.ref), lineOf(payload.context)], ' ');
  const isComment = comment.body !== undefined;
  const what = isComment
    ? `commented on commit ${lineOf(comment.commit_id).slice(0, 8)}`
    : joined(kind.endsWith('d') ? [kind, ref] : [prose(lineOf(payload.action)), ref, kind], ' ');
  const title = joined([signOf(state), head(state === '' ? what : `${what}: ${prose(state)}`)], ' ');
  const others = Object.entries(payload).filter(([name]) => !ASIDE.has(name) && name !== 'changes');
  return {
    title,
    link:
      textOf(payload.target_url) ||
      textOf(comment.html_url) ||
      textOf(at(listOf(payload.pages)[0], 'html_url')) ||
      at(payload.commit, 'html_url') ||
      pageOf(payload),
    about: emojiText(lineOf(payload.description)),
    facts: [...vitalsOf(payload, title, ''), ...besides(payload, '')],
    text: shortened(comment.body),
    rest: [
      ...restOf(payload.client_payload),
      ...others.flatMap(([name, value]) =>
        detailsOf(fieldsOf(value)).map((fact) => ({
          name: `${prose(name)} ${fact.name}`,
          value: fact.value,
        })),
      ),
    ],
  };
}

function readThing(payload: Fields, field: string, event: string, head: (what: string) => string): Card {
  const thing = fieldsOf(payload[field]);
  const said = fieldsOf(payload.comment ?? payload.review);
  const action = lineOf(payload.action);
  const result = resultOf(payload, thing, said);
  const count = textOf(thing.number) || textOf(thing.run_number);
  const number = count === '' ? '' : `#${count}`;
  const kind = KINDS[field] ?? prose(field);
  const what = joined(
    [verbOf(payload, action, thing, said), event.endsWith('_alert') ? prose(event) : kind, number],
    ' ',
  );
  const title = joined([signOf(result), head(result === '' ? what : `${what}: ${prose(result)}`)], ' ');
  const about = emojiText(titleOf(thing));
  const author = lineOf(at(said.user ?? thing.user ?? thing.author ?? thing.creator ?? thing.actor, 'login'));
  return {
    title,
    about,
    link: linkOf(payload, thing, said),
    facts: [
      ...(author === '' || title.includes(author) ? [] : [{ name: 'by', value: author }]),
      ...branchOf(field, thing, about),
      ...vitalsOf(payload, `${title} ${about}`, field),
      ...besides(payload, field),
    ],
    text: shortened(
      textOf(said.body) ||
        textOf(said.content) ||
        (SHOWN.has(action) ? textOf(thing.body) || textOf(thing.description) : ''),
    ),
    // A thing without a title is one that nobody here has thought of.
    rest: about === '' || RICH.has(field) ? detailsOf(thing).filter(({ value }) => value !== about) : [],
  };
}

/** When a text of the thing itself is news. */
const SHOWN = new Set([
  'opened',
  'published',
  'created',
  'released',
  'prereleased',
  'edited',
  'fixed',
  'withdrawn',
  'reopened',
  'create',
]);
/** What says more than its title, states and text do. */
const RICH = new Set(
  'alert security_advisory rule package registry_package sponsorship marketplace_purchase build merge_group projects_v2_item'.split(
    ' ',
  ),
);

/** Gitea sends null for what there is none of. */
const isThere = (value: unknown) => Object.keys(fieldsOf(value)).length > 0;

/** What it came to: of several, what is said last. */
function resultOf(payload: Fields, thing: Fields, said: Fields): string {
  // Gitea gives a review a type in place of a state.
  if (isThere(payload.review))
    return lineOf(said.state) || lineOf(said.type).replace('pull_request_review_', '');
  return (
    lineOf(thing.conclusion) ||
    (thing === payload.run ? lineOf(thing.status) : '') ||
    (payload.deployment_status === undefined ? '' : lineOf(at(payload.deployment_status, 'state')))
  );
}

function verbOf(payload: Fields, action: string, thing: Fields, said: Fields): string {
  if (isThere(payload.comment) && said.body !== undefined)
    return action === 'created' || action === '' ? 'commented on' : `${prose(action)} a comment on`;
  if (isThere(payload.review))
    return action === 'submitted' || action === 'reviewed' || action === ''
      ? 'reviewed'
      : `${prose(action)} a review of`;
  if (isThere(payload.thread)) return `${prose(action)} a thread of`;
  if (action === lineOf(thing.status)) return '';
  return action === 'closed' && thing.merged === true ? 'merged' : prose(action);
}

const RUNS = new Set(['workflow_run', 'workflow_job', 'check_suite']);

/** On which branch something ran: a failure on the main one is another matter than one beside it. */
const branchOf = (field: string, { head_branch }: Fields, about: string): Fact[] => {
  const branch = lineOf(head_branch);
  return RUNS.has(field) && branch !== '' && branch !== about ? [{ name: 'branch', value: branch }] : [];
};

/** A run has the name of its workflow, and beside it what it runs for; a job is one of a workflow. */
const runOf = ({ workflow_name: workflow, name, display_title: why }: Fields): string[] =>
  (workflow === undefined ? [name, why] : [workflow, name]).map(lineOf);

function titleOf(thing: Fields): string {
  if (thing.display_title !== undefined || thing.workflow_name !== undefined)
    return joined([...new Set(runOf(thing))], ' · ');
  const { security_advisory: advisory, rule, deployment } = thing;
  const named = [
    ...[
      'title',
      'display_title',
      'name',
      'tag_name',
      'summary',
      'full_name',
      'login',
      'affected_package_name',
      'head_branch',
    ],
    ...['task', 'environment', 'note', 'ref'],
  ].map((name) => lineOf(thing[name]));
  return (
    lineOf(at(advisory, 'summary')) ||
    lineOf(at(rule, 'description')) ||
    named.find((name) => name !== '') ||
    nameOf(deployment)
  );
}

function linkOf(payload: Fields, thing: Fields, said: Fields): unknown {
  const sha = lineOf(thing.head_sha) || lineOf(thing.sha);
  const repository = lineOf(at(payload.repository, 'html_url'));
  const own = [
    ...[
      said.html_url,
      at(payload.thread, 'comments', '0', 'html_url'),
      thing.html_url,
      thing.target_url,
      thing.log_url,
    ],
    ...[thing.environment_url, thing.external_reference, at(payload.workflow_run, 'html_url')],
    ...[listOf(thing.references).map((one) => at(one, 'url'))[0]],
  ].map(textOf);
  return (
    own.find((url) => /^https?:/.test(url)) ??
    (sha !== '' && repository !== '' ? `${repository}/commit/${sha}` : pageOf(payload))
  );
}

/** What else the payload says beside the thing: a label, who was assigned, what was changed. */
function besides(payload: Fields, field: string): Fact[] {
  return Object.entries(payload).flatMap(([name, value]) => {
    if (name === field || ASIDE.has(name) || isVital(name) || value === null || value === undefined)
      return [];
    if (name === 'changes') return changesOf(fieldsOf(value));
    const said = Array.isArray(value) ? joined(value.slice(0, 20).map(nameOf), ', ') : calledBy(value);
    return said === '' || said.length > 200 ? [] : [{ name: prose(name), value: said }];
  });
}

/** By its name; a deployment has none, and is called by what is deployed. */
function calledBy(value: unknown): string {
  const name = nameOf(value);
  const isId = typeof value === 'object' && name === textOf(at(value, 'id'));
  return (isId && lineOf(at(value, 'ref'))) || name || valueText(value);
}

/** `{title: {from}}` */
const changesOf = (changes: Fields): Fact[] =>
  Object.entries(changes).map(([name, value]) => {
    const from = beginningOf(lineOf(at(value, 'from')) || nameOf(at(value, 'from')), 100);
    return { name: 'changed', value: from === '' ? prose(name) : `${prose(name)} (was ${from})` };
  });

/** Without addresses of the interface and ids of its own. What has no name is shown by what it holds. */
function detailsOf(thing: Fields, levels = 2): Fact[] {
  const own = Object.entries(thing).filter(
    ([name]) =>
      !/(?:^|_)(?:node_id|id|url|sha|(?:created|updated)_at|number|description|body)$/.test(name) &&
      !isVital(name),
  );
  return own.flatMap(([name, value]) => {
    const named = Array.isArray(value) ? joined(value.slice(0, 20).map(nameOf), ', ') : nameOf(value);
    const said = typeof value === 'boolean' ? valueText(value) : beginningOf(named, MOST_TEXT);
    if (said !== '') return [{ name: prose(name), value: said }];
    if (levels === 0) return [];
    const inner = detailsOf(fieldsOf(value), levels - 1);
    return inner.map((fact) => ({ name: `${prose(name)} ${fact.name}`, value: fact.value }));
  });
}

function readPush(payload: Fields, head: (what: string) => string): Card {
  const branch = lineOf(payload.ref).replace(/^refs\/(?:heads|tags)\//, '');
  const isTag = lineOf(payload.ref).startsWith('refs/tags/');
  const commits = listOf(payload.commits).map(fieldsOf);
  const link = textOf(payload.compare) || textOf(payload.compare_url) || pageOf(payload);
  if (payload.deleted === true) return { title: head(`deleted ${branch}`), link };
  const shown = commits
    .slice(0, MOST_COMMITS)
    .map(
      ({ id, message, author }) =>
        `- \`${lineOf(id).slice(0, 8)}\` ${joined([lineOf(message), lineOf(at(author, 'name'))], ' — ')}`,
    );
  const more = commits.length - shown.length;
  const what = `${payload.forced === true ? 'force-pushed' : 'pushed'} ${isTag ? 'tag' : `${commits.length} to`} ${branch}`;
  return { title: head(what), link, text: joined([...shown, more > 0 && `- … ${more}`]) };
}
