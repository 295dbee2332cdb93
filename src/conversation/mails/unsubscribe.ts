import { equalInConstantTime, sign } from '#platform/crypto/index.ts';
import { type PrefName, prefNames } from '../../people/users/index.ts';

/** The user whose preferences are switched off. */
export interface Unsubscription {
  readonly userId: string;
  readonly prefs: readonly PrefName[];
}

export type UnsubscribeLinks = ReturnType<typeof unsubscribeLinks>;

/**
 * Addresses that switch preferences off without signing in. They are signed, so that they need no row and do not
 * expire.
 */
export function unsubscribeLinks(deps: { key: Buffer; baseUrl: () => string }) {
  const { key, baseUrl } = deps;
  const signature = (payload: string) => sign(key, `unsubscribe ${payload}`);

  function url(userId: string, prefs: readonly PrefName[]): string {
    const payload = Buffer.from(`${userId}:${prefs.join(',')}`).toString('base64url');
    return `${baseUrl()}/v1/unsubscribe/${payload}.${signature(payload)}`;
  }

  /** @returns undefined for a token that this server did not make */
  function read(token: string): Unsubscription | undefined {
    const [payload = '', signed = ''] = token.split('.');
    if (!equalInConstantTime(signed, signature(payload))) return undefined;
    const [userId = '', names = ''] = Buffer.from(payload, 'base64url').toString('utf8').split(':');
    const given = names.split(',');
    return { userId, prefs: prefNames.filter((name) => given.includes(name)) };
  }

  return { url, read };
}
