import { ApiError, call } from '../api/client.ts';
import { newKey } from '../api/keys.ts';
import { queryClient } from '../api/queries.ts';
import type { Invitation } from '../api/types.ts';
import { invitationsQuery } from './queries.ts';

/** The server's limit for one request. */
export const MAX_ADDRESSES = 100;

export interface Invited {
  readonly invited: readonly Invitation[];
  readonly refused: readonly { readonly email: string; readonly why: 'noAddress' | 'isMember' }[];
}

/** The addresses in a typed or pasted text, also in the form of mail programs: `Ada <ada@example.org>`. */
export function addressesIn(text: string): string[] {
  const parts = text
    .split(/[\n,;]+/)
    .flatMap((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part.trim().split(/\s+/))
    .filter(Boolean);
  const byKey = new Map(parts.map((address) => [address.toLowerCase(), address]));
  return [...byKey.values()];
}

/** Invites all valid addresses: a wrong one does not prevent the others. */
export async function inviteAll(team: string, addresses: string[], type: number): Promise<Invited> {
  const refused: Invited['refused'][number][] = [];
  let rest = addresses;
  while (rest.length > 0) {
    try {
      const { data } = await send(team, rest, type);
      void queryClient.invalidateQueries({ queryKey: invitationsQuery(team).queryKey });
      return { invited: data, refused };
    } catch (error) {
      const wrong = wrongOnes(error, rest);
      if (wrong.length === 0) throw error;
      refused.push(...wrong);
      rest = rest.filter((email) => !wrong.some((one) => one.email === email));
    }
  }
  return { invited: [], refused };
}

const send = (team: string, emails: string[], membership_type: number) =>
  call<Invitation>(`/v1/teams/${team}/invitations`, {
    method: 'POST',
    body: { emails, membership_type },
    idempotencyKey: newKey(),
  });

/** The addresses that the server refused, and why; in that case none was invited. */
function wrongOnes(error: unknown, emails: readonly string[]): Invited['refused'] {
  if (!(error instanceof ApiError) || error.code !== 4002) return [];
  return Object.entries(error.fields).flatMap(([field, message]) => {
    const email = emails[Number(/^emails\.(\d+)$/.exec(field)?.[1])];
    const why = message.includes('member') ? ('isMember' as const) : ('noAddress' as const);
    return email === undefined ? [] : [{ email, why }];
  });
}
