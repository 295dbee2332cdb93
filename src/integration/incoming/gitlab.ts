import { strong } from '#platform/text/index.ts';
import { type Card, type Fact, signOf } from './card.ts';
import {
  at,
  beginningOf,
  countOf,
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
import { markdownText } from './texts.ts';
import { isVital, vitalsOf } from './vitals.ts';

const MOST_COMMITS = 10;
const MOST_TEXT = 500;

/** GitLab names what is to be done, not what was. */
const PAST: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  update: 'updated',
  create: 'created',
  delete: 'deleted',
  start: 'started',
};
/** Told in full by their title, states and text. */
const KNOWN = new Set([
  'issue',
  'merge_request',
  'pipeline',
  'build',
  'note',
  'wiki_page',
  'release',
  'work_item',
  'milestone',
]);

/** What all events of GitLab have, or what is read elsewhere. */
const ASIDE =
  /^(?:object_kind|event_type|event_name|project|user|repository|user_\w+|object_attributes|project_\w+|builds|commit|labels|changes)(?:\.|$)/;

/** GitLab: https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export function readGitLab(payload: Fields): Card | undefined {
  const kind = lineOf(payload.object_kind) || lineOf(payload.event_name);
  const project =
    lineOf(at(payload.project, 'path_with_namespace')) ||
    lineOf(payload.project_path_with_namespace) ||
    lineOf(payload.project_name) ||
    lineOf(payload.group_path) ||
    lineOf(payload.group_name) ||
    lineOf(at(payload.group, 'full_path'));
  if (
    kind === '' ||
    (project === '' && payload.project === undefined && payload.object_attributes === undefined)
  )
    return undefined;
  const by =
    lineOf(payload.user_name) ||
    lineOf(at(payload.user, 'name')) ||
    lineOf(at(payload.user, 'username')) ||
    // A release names nobody else.
    (kind === 'release' ? lineOf(at(payload.commit, 'author', 'name')) : '');
  const head = (what: string) => joined([strong(project), joined([by, what], ' ')], ' · ');
  if (kind === 'push' || kind === 'tag_push') return readPush(payload, kind, head);
  const about = fieldsOf(payload.object_attributes);
  if (kind === 'note') return readNote(payload, about, head);
  const state =
    lineOf(about.detailed_status) ||
    lineOf(about.status) ||
    lineOf(payload.build_status) ||
    lineOf(payload.status);
  const sign = signOf(lineOf(about.status) || state || lineOf(about.severity));
  const title = joined(
    [sign, head(joined([whatOf(payload, kind, about), state && prose(state)], ': '))],
    ' ',
  );
  const named = kind === 'pipeline' ? commitTitle(payload) : titleOf(payload, about);
  return {
    title,
    about: named,
    link: linkOf(payload, about),
    facts: [
      ...vitalsOf(payload, `${title} ${named}`, 'object_attributes'),
      ...(lineOf(payload.build_failure_reason) === ''
        ? []
        : [{ name: 'reason', value: prose(lineOf(payload.build_failure_reason)) }]),
      ...(typeof about.active === 'boolean' ? [{ name: 'active', value: valueText(about.active) }] : []),
      ...(kind === 'emoji' ? onWhat(payload) : []),
      ...besides(payload),
    ],
    text: joined([
      TOLD.has(lineOf(about.action) || lineOf(payload.action)) || !KNOWN.has(kind)
        ? shortened(about.description ?? payload.description ?? about.message)
        : '',
      ...failedJobs(payload),
    ]),
    rest: KNOWN.has(kind)
      ? []
      : [
          ...restOf(about, (path) => isNoise(path) || /^(?:action|active)$/.test(path)),
          ...restOf(payload, (path) => ASIDE.test(path) || isNoise(path)),
        ].filter(({ value }) => value !== named),
  };
}

const shortened = (value: unknown) => {
  const text = textOf(value);
  return markdownText(text.length > MOST_TEXT ? `${beginningOf(text, MOST_TEXT)}…` : text);
};

/** When the description is news. */
const TOLD = new Set(['open', 'create']);

const isNoise = (path: string) =>
  isVital(path.split('.').at(-1) ?? '') ||
  /(?:^|[._])(?:id|iid|ids|url|avatar_url|description|title|sha|checksum|status_changed_at|created_at|updated_at)$/.test(
    path,
  );

const commitTitle = ({ commit }: Fields) => lineOf(at(commit, 'title')) || lineOf(at(commit, 'message'));

const titleOf = (payload: Fields, about: Fields) =>
  lineOf(about.title) ||
  lineOf(payload.name) ||
  lineOf(about.name) ||
  lineOf(payload.commit_title) ||
  commitTitle(payload);

function whatOf(payload: Fields, kind: string, about: Fields): string {
  const action = lineOf(about.action) || lineOf(payload.action);
  if (kind === 'pipeline') return `pipeline ${textOf(about.id)} on ${lineOf(about.ref)}`;
  if (kind === 'build')
    return `job ${joined([lineOf(payload.build_stage), lineOf(payload.build_name)], ': ')} on ${lineOf(payload.ref)}`;
  // The name of the event may say more than its kind, as that of a token that expires.
  const event = lineOf(payload.event_name);
  if (action === '' && event !== kind && event.endsWith(kind)) return prose(event);
  const number = textOf(about.iid) && `${kind === 'merge_request' ? '!' : '#'}${textOf(about.iid)}`;
  const verb = Object.hasOwn(PAST, action) ? PAST[action] : prose(action);
  return joined([verb, prose(kind), number], ' ');
}

function linkOf(payload: Fields, about: Fields): unknown {
  const project = lineOf(at(payload.project, 'web_url'));
  const build = textOf(payload.build_id);
  const pipeline =
    payload.object_kind === 'pipeline' && project !== '' ? `${project}/-/pipelines/${textOf(about.id)}` : '';
  const job = build !== '' && project !== '' ? `${project}/-/jobs/${build}` : '';
  const own = [
    about.url,
    about.awarded_on_url,
    payload.url,
    payload.deployable_url,
    pipeline,
    job,
    project,
    at(payload.repository, 'homepage'),
  ].map(textOf);
  return own.find((url) => /^https?:/.test(url));
}

/** What somebody answered with an emoji. */
const onWhat = (payload: Fields): Fact[] =>
  ['issue', 'merge_request', 'snippet', 'commit']
    .map((name) => ({ name: prose(name), value: lineOf(at(payload[name], 'title')) }))
    .filter(({ value }) => value !== '');

/** Who it is for, and what it is called by. */
function besides({ assignees, reviewers, labels, changes, environment_external_url }: Fields): Fact[] {
  const changed = Object.keys(fieldsOf(changes)).filter((name) => !/^updated_/.test(name));
  const lists = { assignees, reviewers, labels, changed: changed.map(prose) };
  const named = Object.entries(lists).map(([name, list]) => ({
    name,
    value: joined(
      listOf(list).map((one) => nameOf(one)),
      ', ',
    ),
  }));
  return [...named, { name: 'at', value: textOf(environment_external_url) }].filter(
    ({ value }) => value !== '',
  );
}

const failedJobs = ({ builds }: Fields) =>
  listOf(builds)
    .map(fieldsOf)
    .filter((build) => build.status === 'failed')
    .map((build) => `- ❌ ${lineOf(build.stage)}: ${lineOf(build.name)}`);

function readNote(payload: Fields, about: Fields, head: (what: string) => string): Card {
  const on = fieldsOf(payload.merge_request ?? payload.issue ?? payload.snippet ?? payload.commit);
  const number = textOf(on.iid) && `${payload.merge_request === undefined ? '#' : '!'}${textOf(on.iid)}`;
  const kind = lineOf(about.noteable_type)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const title = head(joined(['commented', kind && 'on', kind, number], ' '));
  return {
    title,
    about: lineOf(on.title) || lineOf(on.message),
    link: about.url,
    facts: vitalsOf(payload, title, 'object_attributes'),
    text: shortened(about.note),
  };
}

function readPush(payload: Fields, kind: string, head: (what: string) => string): Card {
  const name = lineOf(payload.ref).replace(/^refs\/(?:heads|tags)\//, '');
  const commits = listOf(payload.commits).map(fieldsOf);
  const count = countOf(payload.total_commits_count) || commits.length;
  const link = at(payload.project, 'web_url');
  const isGone = /^0+$/.test(lineOf(payload.after));
  if (isGone) return { title: head(`deleted ${name}`), link };
  const shown = commits
    .slice(-MOST_COMMITS)
    .map(
      ({ id, message, author }) =>
        `- \`${lineOf(id).slice(0, 8)}\` ${joined([lineOf(message), lineOf(at(author, 'name'))], ' — ')}`,
    );
  const what = kind === 'tag_push' ? `pushed tag ${name}` : `pushed ${count} to ${name}`;
  const more = count > shown.length && shown.length > 0 && `- … ${count - shown.length}`;
  return { title: head(what), link, text: joined([...shown, more]) };
}
