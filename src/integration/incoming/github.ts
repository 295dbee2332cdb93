import {
  at,
  beginningOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  linked,
  listOf,
  strong,
  textOf,
} from './payload.ts';

const MOST_COMMITS = 10;
const MOST_TEXT = 500;

const shortened = (text: string) => (text.length > MOST_TEXT ? `${beginningOf(text, MOST_TEXT)}…` : text);

/** The parts of a payload that have a title and a page of their own, by field. */
const THINGS = [
  ['pull_request', 'pull request'],
  ['issue', 'issue'],
  ['discussion', 'discussion'],
  ['release', 'release'],
  ['workflow_run', 'workflow'],
  ['workflow_job', 'job'],
  ['check_run', 'check'],
  ['deployment', 'deployment'],
  ['alert', 'alert'],
] as const;

/** GitHub, Gitea and Forgejo: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export function readGitHub(payload: Fields, event: string | undefined): string | undefined {
  const repository = lineOf(at(payload.repository, 'full_name')) || lineOf(at(payload.organization, 'login'));
  if (typeof payload.zen === 'string') return joined([strong(repository), payload.zen], ' · ');
  const by = lineOf(at(payload.sender, 'login')) || lineOf(at(payload.pusher, 'name'));
  if (repository === '' || by === '') return undefined;
  const head = (what: string) => joined([strong(repository), joined([by, what], ' ')], ' · ');
  if (Array.isArray(payload.commits)) return readPush(payload, head);
  const action = lineOf(payload.action).replaceAll('_', ' ');
  const [field, kind] = THINGS.find(([name]) => payload[name] !== undefined) ?? [];
  if (field === undefined) {
    const ref = lineOf(payload.ref);
    const what = joined([action, lineOf(payload.ref_type), ref, (event ?? '').replaceAll('_', ' ')], ' ');
    return linked(head(what), at(payload.repository, 'html_url'));
  }
  const thing = fieldsOf(payload[field]);
  const said = fieldsOf(payload.comment ?? payload.review);
  const merged = field === 'pull_request' && action === 'closed' && thing.merged === true;
  const number = textOf(thing.number) && `#${textOf(thing.number)}`;
  const result = lineOf(thing.conclusion) || (said.state === undefined ? '' : lineOf(said.state));
  const verb =
    said.body === undefined && said.state === undefined ? (merged ? 'merged' : action) : 'commented on';
  const title =
    lineOf(thing.title) ||
    lineOf(thing.name) ||
    lineOf(thing.tag_name) ||
    lineOf(at(thing, 'rule', 'description'));
  return joined([
    head(joined([verb, kind, number, result && `(${result})`], ' ')),
    strong(title),
    shortened(textOf(said.body) || (action === 'opened' || action === 'published' ? textOf(thing.body) : '')),
    linked('', said.html_url) || linked('', thing.html_url),
  ]);
}

function readPush(payload: Fields, head: (what: string) => string): string {
  const branch = lineOf(payload.ref).replace(/^refs\/(?:heads|tags)\//, '');
  const commits = listOf(payload.commits).map(fieldsOf);
  if (payload.deleted === true) return head(`deleted ${branch}`);
  const shown = commits
    .slice(0, MOST_COMMITS)
    .map(
      ({ id, message, author }) =>
        `- \`${lineOf(id).slice(0, 8)}\` ${joined([lineOf(message), lineOf(at(author, 'name'))], ' — ')}`,
    );
  const more = commits.length - shown.length;
  const what = `${payload.forced === true ? 'force-pushed' : 'pushed'} ${commits.length} to ${branch}`;
  return joined([head(what), ...shown, more > 0 && `- … ${more}`, linked('', payload.compare)]);
}
