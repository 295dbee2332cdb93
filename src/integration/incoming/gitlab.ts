import {
  at,
  beginningOf,
  countOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  linked,
  listOf,
  signIn,
  strong,
  textOf,
} from './payload.ts';

const MOST_COMMITS = 10;
const MOST_TEXT = 500;
const SIGNS: Readonly<Record<string, string>> = {
  success: '✅',
  failed: '❌',
  canceled: '🚫',
  running: '⏳',
};

/** GitLab: https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export function readGitLab(payload: Fields): string | undefined {
  const kind = lineOf(payload.object_kind) || lineOf(payload.event_name);
  if (kind === '' || (payload.project === undefined && payload.project_name === undefined)) return undefined;
  const project = lineOf(at(payload.project, 'path_with_namespace')) || lineOf(payload.project_name);
  const by = lineOf(payload.user_name) || lineOf(at(payload.user, 'name'));
  const head = (what: string) => joined([strong(project), joined([by, what], ' ')], ' · ');
  if (kind === 'push' || kind === 'tag_push') return readPush(payload, kind, head);
  const about = fieldsOf(payload.object_attributes);
  if (kind === 'pipeline') return readPipeline(payload, about, head);
  if (kind === 'build')
    return joined([
      `${signIn(SIGNS, lineOf(payload.build_status)) ?? '🔧'} ${head(`${lineOf(payload.build_stage)}: ${lineOf(payload.build_name)}`)}`,
      joined([lineOf(payload.build_status), lineOf(payload.build_failure_reason)], ' · '),
    ]);
  if (kind === 'note') {
    const on = fieldsOf(payload.merge_request ?? payload.issue ?? payload.snippet ?? payload.commit);
    const text = beginningOf(textOf(about.note), MOST_TEXT);
    return joined([
      head('commented'),
      strong(lineOf(on.title) || lineOf(on.message)),
      text,
      linked('', about.url),
    ]);
  }
  const number = textOf(about.iid) && `${kind === 'merge_request' ? '!' : '#'}${textOf(about.iid)}`;
  const title = lineOf(about.title) || lineOf(payload.name) || lineOf(about.name);
  return joined([
    head(joined([lineOf(about.action) || lineOf(payload.action), kind.replaceAll('_', ' '), number], ' ')),
    strong(title),
    linked('', about.url) || linked('', payload.url),
  ]);
}

function readPush(payload: Fields, kind: string, head: (what: string) => string): string {
  const name = lineOf(payload.ref).replace(/^refs\/(?:heads|tags)\//, '');
  const commits = listOf(payload.commits).map(fieldsOf);
  const count = countOf(payload.total_commits_count) || commits.length;
  const gone = /^0+$/.test(lineOf(payload.after));
  if (gone) return head(`deleted ${name}`);
  const shown = commits
    .slice(-MOST_COMMITS)
    .map(
      ({ id, message, author }) =>
        `- \`${lineOf(id).slice(0, 8)}\` ${joined([lineOf(message), lineOf(at(author, 'name'))], ' — ')}`,
    );
  const what = kind === 'tag_push' ? `pushed tag ${name}` : `pushed ${count} to ${name}`;
  return joined([
    head(what),
    ...shown,
    count > shown.length && shown.length > 0 && `- … ${count - shown.length}`,
    linked('', at(payload.project, 'web_url')),
  ]);
}

function readPipeline(payload: Fields, about: Fields, head: (what: string) => string): string {
  const status = lineOf(about.status);
  const url =
    linked('', about.url) ||
    linked('', `${textOf(at(payload.project, 'web_url'))}/-/pipelines/${textOf(about.id)}`);
  const failed = listOf(payload.builds)
    .map(fieldsOf)
    .filter((build) => build.status === 'failed');
  return joined([
    `${signIn(SIGNS, status) ?? '🔧'} ${head(`pipeline ${textOf(about.id)} on ${lineOf(about.ref)}: ${lineOf(about.detailed_status) || status}`)}`,
    strong(lineOf(at(payload.commit, 'title')) || lineOf(at(payload.commit, 'message'))),
    ...failed.map((build) => `- ❌ ${lineOf(build.stage)}: ${lineOf(build.name)}`),
    url,
  ]);
}
