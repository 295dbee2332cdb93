import { equalInConstantTime, randomToken, sign } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { findSetUpNonce, insertSetUpNonce } from './set-up.store.ts';

/** The part of a request that shows where it came from. */
export interface Caller {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export type SetUpService = ReturnType<typeof setUpService>;

/**
 * Guards the first account, which administers the server. It may be created from this machine; from elsewhere it
 * takes the link that the server prints at start.
 * @param deps.key signs the link, so that every node prints the same one and the database does not hold it
 * @param deps.reachable whether the settings let other machines in
 */
export function setUpService(deps: { db: Database; key: Buffer; reachable: boolean }) {
  const { db, key, reachable } = deps;

  /** The token of the link. It changes only with the database or the key. */
  async function token(): Promise<string> {
    const known = await findSetUpNonce.first(db, {});
    const { value: nonce } = known ?? (await makeNonce());
    return sign(key, `set up ${nonce}`);
  }

  function makeNonce(): Promise<{ value: string }> {
    return db.write(async (tx) => {
      await insertSetUpNonce.run(tx, { value: randomToken() });
      return (await findSetUpNonce.first(tx, {})) as { value: string };
    });
  }

  const needsLink = (caller: Caller) => reachable || !isLocal(caller);

  async function accepts(caller: Caller, given: string | undefined): Promise<boolean> {
    if (!needsLink(caller)) return true;
    return given !== undefined && equalInConstantTime(given, await token());
  }

  return { token, needsLink, accepts };
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Whether the request comes from this machine. Excludes proxies that the settings do not mention, foreign names that
 * resolve to this machine (DNS rebinding), and pages of other sites in a browser here.
 */
function isLocal({ headers }: Caller): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  return typeof host === 'string' && /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host);
}
