import { type ParleyApplication, ParleyUser } from '#sdk';
import { type Answer, notFound } from './http.ts';
import type { Storage } from './storage.ts';

const COOKIE = 'tracker_session';

/** The platform sends a member's browser here each time they open the tracker. Starts a session of ours. */
export async function signIn(
  url: URL,
  parley: ParleyApplication,
  storage: Storage,
  baseUrl: string,
): Promise<Answer> {
  const code = url.searchParams.get('code');
  const team = url.searchParams.get('platform_team_id');
  if (!code || !team || storage.teamName(team) === undefined) return notFound();
  const tokens = await parley.exchangeCode(code);
  const member = new ParleyUser(parley, tokens.access_token);
  // The team arrives through the browser, where it can be changed, so we ask the platform.
  const [me, memberships] = await Promise.all([member.me(), member.teams()]);
  if (!memberships.some((membership) => membership.team.id === team)) return notFound();
  storage.saveTokens(me.id, team, tokens);
  const name = `${me.first_name} ${me.last_name}`.trim();
  const token = storage.beginSession({ user: me.id, name, team });
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const cookie = `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  return { status: 302, location: `/teams/${team}`, cookie };
}

/** The token of our session in the browser's cookies. */
export function sessionToken(cookies = ''): string {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1] ?? '';
}
