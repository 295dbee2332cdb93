import { isLive, repeatReady } from './live.ts';

const SERVER = '/v1/server';
const ME = '/v1/users/me';
const INBOX = `${ME}/inbox?filter=new&limit=50`;
const FRAME = [
  ME,
  `${ME}/teams`,
  `${ME}/inbox/counts`,
  `${ME}/conversations?limit=50`,
  `${ME}/invitations`,
] as const;

/**
 * What a member's window reads first, by its address without a query. The server names the same in the head of the page's
 * answer (web/first.ts), so each must be written as it is asked for here.
 */
export const FIRST_READ: Readonly<Record<string, readonly string[]>> = {
  '/': [...FRAME, SERVER, INBOX],
  '/inbox': [...FRAME, INBOX],
  '/teams/:team': [
    ...FRAME,
    '/v1/messages?team=:team&limit=60',
    '/v1/teams/:team/subjects?limit=200',
    `${ME}/ephemeral_answers?team=:team`,
    `${ME}/mutes`,
    SERVER,
  ],
};

/** What is not asked for by then is asked for again. */
const KEPT_MS = 10_000;
let isBegun = false;
const begun = new Map<string, Promise<Response>>();

/**
 * Begins to read what the view at this address will ask for, before its code is there. Call it once the reader is known.
 * It also takes what the browser holds ready by the head of the page: left there, that would be given to a later request.
 */
export function beginFirst({ pathname, search }: { pathname: string; search: string }): void {
  if (isBegun) return;
  isBegun = true;
  if (search !== '') return;
  const [, team = ''] = /^\/teams\/([\da-f-]{36})$/.exec(pathname) ?? [];
  const read = FIRST_READ[team === '' ? pathname : '/teams/:team'] ?? [];
  for (const one of read.filter((address) => address !== ME)) {
    const address = one.replace(':team', team);
    const answer = readWhole(address);
    // The request that takes it up hears of it.
    answer.catch(() => undefined);
    begun.set(address, answer);
  }
  setTimeout(() => begun.clear(), KEPT_MS);
}

/** An answer that nobody takes up must not keep its connection. */
async function readWhole(address: string): Promise<Response> {
  const answer = await fetch(address, { headers: { Accept: 'application/json' } });
  const { status, headers } = answer;
  return new Response(await answer.arrayBuffer(), { status, headers });
}

/**
 * The stream repeats nothing from before it was opened: an older answer is shown, and asked for again.
 * @returns the answer to a request that was begun, for the first who asks
 */
export function takeBegun(address: string): Promise<Response> | undefined {
  const answer = begun.get(address);
  begun.delete(address);
  if (answer && isLive()) repeatReady();
  return answer;
}
