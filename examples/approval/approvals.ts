import {
  type ActionContext,
  type EventOf,
  type Membership,
  type ParleyApplication,
  ParleyError,
  TokenError,
} from '#sdk';
import { readAsked } from './asked.ts';
import { shownAs } from './shown.ts';
import type { NewRequest, Request, Storage } from './storage.ts';

const HELP =
  'Write “@approval @somebody what you ask for”. A second name is asked when the first takes too long. Without a name, any admin decides.';
const ADMIN = 1;

/** In a text of ours, what somebody else wrote calls nobody. */
const quiet = (text: string) => text.replaceAll('@', '@\u2060');

/** Requests, from the mention that begins one to the decision. */
export function approvals(
  parley: ParleyApplication,
  storage: Storage,
  { expiresMs, escalatesMs }: { readonly expiresMs: number; readonly escalatesMs: number },
) {
  /** Begins a request: `@approval @bob Friday off`. */
  async function ask(event: EventOf<'mention'>): Promise<void> {
    const { team, message } = event.data;
    const asked = readAsked(message.text ?? '');
    if (!asked) return;
    const members = await membersOf(team);
    const found = asked.names.map((name) => members.find(({ user }) => user.username.toLowerCase() === name));
    const problem = problemOf(asked.names, asked.text, found, message.author);
    if (problem !== undefined) {
      await parley.inTeam(team).reply(message.id, problem, `approval-${event.id}`);
      return;
    }
    const at = Date.parse(event.timestamp);
    const [first, second] = found.map((one) => one?.user.id ?? null);
    const request: NewRequest = {
      ...{ event: event.id, team, asker: message.author, text: asked.text },
      ...{ approver: first ?? null, second: second ?? null },
      ...{ expires_at: at + expiresMs, escalates_at: at + escalatesMs },
    };
    await post(storage.add(request), members);
  }

  /**
   * The key keeps an event that comes again from being posted twice, if the content is the same: so it is shown as it
   * began, and then as it is.
   */
  async function post(request: Request, members: readonly Membership[]): Promise<void> {
    if (request.message !== null) return;
    const begun: Request = { ...request, status: 'open', escalated: 0 };
    const name = (id: string) => members.find(({ user }) => user.id === id)?.user;
    const caller = request.approver ? `@${name(request.approver)?.username}, ` : '';
    const text = `${caller}${quiet(name(request.asker)?.first_name ?? 'somebody')} asks for approval: ${quiet(request.text)}`;
    const message = { text, blocks: shownAs(begun), addressed_teams: [request.team] };
    const { id } = await parley.inTeam(request.team).postMessage(message, `approval-${request.event}`);
    storage.markPosted(begun, id);
  }

  /** Handles a press of one of the two buttons. */
  async function decide(click: ActionContext): Promise<void> {
    const { action, team, user, value } = click;
    const request = storage.find(team, Number(value));
    if (!request) return click.respond.ephemeral('I do not know this request any more.');
    if (request.status === 'open' && !(await mayDecide(request, user)))
      return click.respond.ephemeral(
        'Only the person who is asked, or an admin, decides this; nobody their own request.',
      );
    const status = action.action_id === 'approve' ? 'approved' : 'refused';
    const isFirst = storage.decide(request.id, status, user, Date.now());
    await show(storage.find(team, request.id) as Request);
    if (!isFirst && request.decided_by !== user)
      await click.respond.ephemeral('This was decided before, or is over.');
  }

  async function mayDecide({ team, asker, approver, second, escalated }: Request, user: string) {
    if (user === asker) return false;
    if (user === approver || (escalated && user === second)) return true;
    return (await membersOf(team)).some((one) => one.user.id === user && one.membership_type === ADMIN);
  }

  /** Brings the message up to date, and tells the person who asked. Doing it again changes nothing. */
  async function show(request: Request): Promise<void> {
    const { id, team, message, status, asker } = request;
    if (message === null) return;
    const bot = parley.inTeam(team);
    await bot.editMessage(message, { blocks: shownAs(request) });
    if (status !== 'open') {
      const name = (await membersOf(team)).find(({ user }) => user.id === asker)?.user.username;
      if (name !== undefined)
        await bot.reply(message, `@${name}, this is ${status}.`, `approval-${id}-${status}`);
    }
    storage.markShown(request);
  }

  /** Asks the second person. */
  async function escalate({ id, team, message, second }: Request): Promise<void> {
    const name = (await membersOf(team)).find(({ user }) => user.id === second)?.user.username;
    if (message && name !== undefined)
      await parley
        .inTeam(team)
        .reply(message, `@${name}, nobody has decided yet: please do.`, `approval-${id}-second`);
    storage.markEscalated(id);
  }

  /** Expires and escalates requests that are due, and finishes what a crash interrupted. */
  async function catchUp(): Promise<void> {
    const now = Date.now();
    for (const { id } of storage.expired(now)) storage.decide(id, 'expired', null, now);
    for (const request of storage.toEscalate(now))
      await attempt(
        () => escalate(request),
        () => storage.markEscalated(request.id),
      );
    for (const request of storage.toShow())
      await attempt(
        () => show(request),
        () => storage.markShown(request),
      );
  }

  async function membersOf(team: string): Promise<Membership[]> {
    const members: Membership[] = [];
    for await (const one of parley.inTeam(team).members()) members.push(one);
    return members;
  }

  return { ask, decide, catchUp };
}

function problemOf(
  names: readonly string[],
  text: string,
  found: readonly (Membership | undefined)[],
  asker: string,
): string | undefined {
  if (text === '') return HELP;
  const unknown = found.indexOf(undefined);
  if (unknown >= 0) return `Nobody in this team is called ${quiet(`@${names[unknown]}`)}.`;
  return found.some((one) => one?.user.id === asker) ? 'Somebody else has to decide it.' : undefined;
}

/** One request that fails keeps none of the others waiting. @param giveUp where the platform refuses: the message is gone */
async function attempt(run: () => Promise<void>, giveUp: () => void): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error);
    // Without a token the team may have it again later.
    if (error instanceof TokenError) return;
    if (error instanceof ParleyError && error.status < 500 && error.status !== 429) giveUp();
  }
}
