import { type ParleyApplication, ParleyUser, type Tokens } from '#sdk';
import { type Answer, notFound } from './http.ts';
import type { Storage } from './storage.ts';

const COOKIE = 'tracker_session';
/** The state and the verifier of a sign-in that has begun here. */
const BEGUN = 'tracker_sign_in';

/** A member came to the tracker first: their browser goes to the platform, which asks them. */
export function beginSignIn(parley: ParleyApplication, baseUrl: string): Answer {
  const { url, state, verifier } = parley.authorize();
  const cookie = `${BEGUN}=${state}.${verifier}; Path=/parley; HttpOnly; SameSite=Lax${secureFor(baseUrl)}`;
  return { status: 302, location: url, cookie };
}

const secureFor = (baseUrl: string) => (baseUrl.startsWith('https:') ? '; Secure' : '');

/** The platform sends a member's browser here each time they open the tracker. Starts a session of ours. */
export async function signIn(
  url: URL,
  parley: ParleyApplication,
  storage: Storage,
  baseUrl: string,
  cookies = '',
): Promise<Answer> {
  if (url.searchParams.has('state')) {
    const [state = '', verifier = ''] = cookieOf(cookies, BEGUN).split('.');
    const { tokens, team } = await parley.finishAuthorization({ state, verifier }, url.href);
    return enter(tokens, team, parley, storage, baseUrl);
  }
  const code = url.searchParams.get('code');
  const team = url.searchParams.get('platform_team_id');
  if (!code || !team || storage.teamName(team) === undefined) return notFound();
  return enter(await parley.exchangeCode(code), team, parley, storage, baseUrl);
}

/** Begins a session of a member in a team. */
async function enter(
  tokens: Tokens,
  team: string,
  parley: ParleyApplication,
  storage: Storage,
  baseUrl: string,
): Promise<Answer> {
  const member = new ParleyUser(parley, tokens.access_token);
  // The team arrives through the browser, where it can be changed, so we ask the platform.
  const [me, memberships] = await Promise.all([member.me(), member.teams()]);
  if (!memberships.some((membership) => membership.team.id === team)) return notFound();
  storage.saveTokens(me.id, team, tokens);
  const name = `${me.first_name} ${me.last_name}`.trim();
  const token = storage.beginSession({ user: me.id, name, team });
  const cookie = `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax${secureFor(baseUrl)}`;
  return { status: 302, location: `/teams/${team}`, cookie };
}

/** The token of our session in the browser's cookies. */
export const sessionToken = (cookies = ''): string => cookieOf(cookies, COOKIE);

function cookieOf(cookies: string, wanted: string): string {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === wanted)?.[1] ?? '';
}
