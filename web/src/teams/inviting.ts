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

interface Invitees {
  readonly emails: readonly string[];
  readonly users: readonly { readonly id: string; readonly name: string }[];
}

/** Invites all whom the server takes: a wrong one does not prevent the others. */
export async function inviteAll(team: string, invitees: Invitees, type: number): Promise<Invited> {
  const refused: Invited['refused'][number][] = [];
  let rest = invitees;
  while (rest.emails.length + rest.users.length > 0) {
    try {
      const { data } = await send(team, rest, type);
      void queryClient.invalidateQueries({ queryKey: invitationsQuery(team).queryKey });
      return { invited: data, refused };
    } catch (error) {
      const wrong = wrongOnes(error, rest);
      if (wrong.length === 0) throw error;
      refused.push(...wrong);
      const isRight = (email: string) => !wrong.some((one) => one.email === email);
      rest = { emails: rest.emails.filter(isRight), users: rest.users.filter(({ name }) => isRight(name)) };
    }
  }
  return { invited: [], refused };
}

const send = (team: string, { emails, users }: Invitees, membership_type: number) =>
  call<Invitation>(`/v1/teams/${team}/invitations`, {
    method: 'POST',
    body: { emails, ...(users.length > 0 && { users: users.map(({ id }) => id) }), membership_type },
    idempotencyKey: newKey(),
  });

/** Those whom the server refused, by address or name, and why; in that case none was invited. */
function wrongOnes(error: unknown, { emails, users }: Invitees): Invited['refused'] {
  if (!(error instanceof ApiError) || error.code !== 4002) return [];
  return Object.entries(error.fields).flatMap(([field, message]) => {
    const [, list, index] = /^(emails|users)\.(\d+)$/.exec(field) ?? [];
    const email = list === 'users' ? users[Number(index)]?.name : emails[Number(index)];
    const why = message.includes('member') ? ('isMember' as const) : ('noAddress' as const);
    return email === undefined ? [] : [{ email, why }];
  });
}
