import { isAddress, type Part } from './parts.ts';
import { textOf } from './payload.ts';

/** How programs that agree on nothing call the page of what happened; the first that is there counts. */
const LINKS = (
  'url link href htmlurl weburl permalink fullurl browseurl alerturl incidenturl issueurl buildurl runurl targeturl dashboardurl ' +
  'detailsurl html web target'
).split(' ');

const NO_PAGE =
  /avatar|icon|image|logo|api|picture|unsubscribe|edit|cancel|resched|callback|silence|webhook|screenshot|(?:^|\.)(?:actor|agent|user|sender|author|owner|creator|assignee|person|hook)\./i;
/** Of what it happened in. */
const AROUND =
  /(?:^|\.)(?:repository|repo|project|page|meta|organization|org|account|scm|vcs|board|model)\./i;
/** Pages that explain, rather than show what happened. */
const ASIDE = /(?:^|[._])(?:self|docs?|documentation|help|wiki|support|runbook|source)/i;
const IN_LINKS = /(?:^|\.)_?(?:(?:perma)?links?|urls)\./i;

/** Whether programs rather than people open it. */
function isForPrograms(address: string): boolean {
  const [, , host = '', ...path] = (address.split(/[?#]/, 1)[0] ?? '').split('/');
  return (
    host.split('.').includes('api') ||
    path.some((one) => /^(?:api|_apis|soap)$/i.test(one)) ||
    /\.(?:git|png|jpe?g|gif|svg|zip|mp4)$/i.test(path.at(-1) ?? '')
  );
}

/** The page to be opened, if one of the parts is its address. */
export function pageAmong(parts: readonly Part[]): Part | undefined {
  let best: Part | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    if (!isAddress(part.value) || NO_PAGE.test(part.path) || isForPrograms(textOf(part.value))) continue;
    const place = LINKS.indexOf(part.name);
    const isLink = /(?:url|link|href|uri|self)$/.test(part.name) || IN_LINKS.test(part.path);
    if (place < 0 && !isLink) continue;
    const rank =
      (place < 0 ? LINKS.length : place) +
      (ASIDE.test(part.path) ? 50 : 0) +
      (part.isInList ? 60 : 0) +
      (AROUND.test(part.path) ? 100 : 0);
    if (rank < least) [best, least] = [part, rank];
  }
  return best;
}

/** Jira sends the addresses of its interface alone: the page of an issue follows from one of them. */
export function pageOfJira(parts: readonly Part[]): string {
  const issue = parts.find(
    ({ name, value, beside }) =>
      name === 'self' && textOf(beside.key) !== '' && /\/rest\/api\/\w{1,9}\/issue\//.test(textOf(value)),
  );
  const key = textOf(issue?.beside.key);
  const address = textOf(issue?.value);
  return /^[A-Z]\w{0,99}-\d{1,9}$/.test(key)
    ? `${address.slice(0, address.indexOf('/rest/api/'))}/browse/${key}`
    : '';
}
