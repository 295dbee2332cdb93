import { call } from '../../api/client.ts';
import { isLive } from '../../api/live.ts';
import { membershipsQuery, queryClient } from '../../api/queries.ts';
import { signal } from '../../api/signal.ts';
import type { Message, SentEvents, SessionUser } from '../../api/types.ts';
import { conversationQuery } from './direct.ts';
import { findMessage } from './messages.ts';
import type { Target } from './outbox.ts';
import { peopleKey } from './people-key.ts';

const SHOWN_MS = 6000;
/** What was passed on before a message may come after it. */
const LATE_MS = 1000;
/** The server drops what comes within three seconds. */
const SEND_EVERY_MS = 4000;
/** In the stream of a larger team the server tells nobody. */
export const MOST_TOLD = 100;

const NOBODY: readonly string[] = [];

/** Who types, by the id of the place: a team, a subject, a conversation, the message above a thread, or a sidebar. */
const heard = signal<ReadonlyMap<string, readonly string[]>>(new Map());
const ends = new Map<string, ReturnType<typeof setTimeout>>();
/** When people said something in the last moment. */
const said = new Map<string, number>();

/** The people who type in a place, in the order in which they began. */
export const useTypingIn = (place: string) => heard.useSelected((all) => all.get(place) ?? NOBODY);

export function noteTyping({ user, ...where }: SentEvents['typing']): void {
  const place = where.sidebar ?? where.message ?? where.team ?? where.conversation;
  if (place === undefined || said.has(user)) return;
  noteIn(place, user);
  // The stream of the team shows all of its subjects.
  if (place === where.team && where.subject !== undefined) noteIn(where.subject, user);
}

function noteIn(place: string, user: string): void {
  const key = `${place} ${user}`;
  clearTimeout(ends.get(key));
  ends.set(
    key,
    setTimeout(() => endTyping(place, user), SHOWN_MS),
  );
  const people = heard.get().get(place) ?? NOBODY;
  if (!people.includes(user)) heard.set(new Map(heard.get()).set(place, [...people, user]));
}

function endTyping(place: string, user: string): void {
  const key = `${place} ${user}`;
  clearTimeout(ends.get(key));
  ends.delete(key);
  const people = (heard.get().get(place) ?? NOBODY).filter((id) => id !== user);
  const next = new Map(heard.get()).set(place, people);
  if (people.length === 0) next.delete(place);
  heard.set(next);
}

/** What somebody typed has come. */
export function noteSaid(user: string): void {
  clearTimeout(said.get(user));
  said.set(
    user,
    window.setTimeout(() => said.delete(user), LATE_MS),
  );
  for (const [place, people] of heard.get()) if (people.includes(user)) endTyping(place, user);
}

/** Where the others were told of last, and when. */
let last = { place: '', at: 0 };

/** Lets the others know that the reader writes there: now and then, and never what. */
export function noteWriting(me: SessionUser, target: Target | undefined, text: string): void {
  if (!target || !me.prefs.send_typing || document.visibilityState !== 'visible') return;
  // Without a connection there is nobody to tell.
  if (!isLive() || text.trim() === '' || isCommand(text)) return;
  const place = JSON.stringify(target);
  const now = Date.now();
  if (last.place === place && now >= last.at && now - last.at < SEND_EVERY_MS) return;
  last = { place, at: now };
  // The next one comes in some seconds, and nobody waits for this one.
  tellWriting(me.id, target).catch(() => undefined);
}

/** Two slashes post one. */
const isCommand = (text: string): boolean => /^\/(?!\/)/.test(text);

async function tellWriting(me: string, target: Target): Promise<void> {
  const where = await placeOf(me, target);
  if (where) await call(`${where.path}/typing`, { method: 'PUT', body: where.body });
}

interface Place {
  readonly path: string;
  readonly body: { readonly message?: string; readonly sidebar?: string; readonly subject?: string };
}

/** @returns undefined where nobody would hear of it: of applications, in large teams, and before anything was said */
async function placeOf(me: string, target: Target): Promise<Place | undefined> {
  switch (target.kind) {
    case 'team':
      if (isLarge(target.id)) return undefined;
      return {
        path: `/v1/teams/${target.id}`,
        // One that begins with this message is known to nobody.
        body: target.subject?.id === undefined ? {} : { subject: target.subject.id },
      };
    case 'people':
      return target.emails.length > 0 ? undefined : amongPeople(me, target.ids, {});
    case 'application':
      return undefined;
    case 'replies':
      return aroundMessage(me, findMessage(target.id), { message: target.id });
    case 'sidebar':
      return aroundMessage(me, findMessage(target.message), { sidebar: target.id });
  }
}

function isLarge(team: string): boolean {
  const memberships = queryClient.getQueryData(membershipsQuery.queryKey) ?? [];
  const size = memberships.find((one) => one.team.id === team)?.team.num_members ?? 0;
  return size > MOST_TOLD;
}

async function aroundMessage(
  me: string,
  message: Message | undefined,
  body: Place['body'],
): Promise<Place | undefined> {
  if (!message || message.addressed_application !== undefined) return undefined;
  const [team] = message.addressed_teams;
  if (team !== undefined) return { path: `/v1/teams/${team}`, body };
  return amongPeople(me, [message.author.id, ...message.addressed_users], body);
}

async function amongPeople(
  me: string,
  people: readonly string[],
  body: Place['body'],
): Promise<Place | undefined> {
  const found = await queryClient.ensureQueryData(conversationQuery(peopleKey(people, me)));
  return found ? { path: `/v1/users/me/conversations/${found.id}`, body } : undefined;
}
