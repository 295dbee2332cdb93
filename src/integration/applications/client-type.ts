import { Conflict, type FieldProblem, InvalidFields } from '#api';
import type { ApplicationRow } from '#schema';

/** Of a public client (RFC 7591 §2), which cannot keep a secret. */
export const NO_SECRET = 'none';

/** How an application may prove at the token route who it is. One with a secret may use either way. */
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', NO_SECRET] as const;

type Method = Pick<ApplicationRow, 'token_endpoint_auth_method'>;

export const isPublic = (row: Method): boolean => row.token_endpoint_auth_method === NO_SECRET;

/** Refuses callbacks and subscriptions to a public application: they need a secret. @throws Conflict */
export function refusePublic(row: Method): void {
  if (isPublic(row))
    throw new Conflict('public_client', 'The application is public: it has no secret, and is not called');
}

/** Checks that the fields fit the type of the client. @throws InvalidFields naming each field */
export function refuseMisfits(row: ApplicationRow, interactionUrl?: string | null): void {
  const problems = isPublic(row) ? unfitForPublic(row, interactionUrl) : [];
  if (problems.length > 0) throw new InvalidFields(problems);
}

function unfitForPublic(row: ApplicationRow, interaction_url: string | null = null): FieldProblem[] {
  const addresses = { ...row, interaction_url };
  const called = (['preinstall_url', 'uninstall_url', 'team_update_url', 'interaction_url'] as const).filter(
    (field) => addresses[field] !== null && addresses[field] !== '',
  );
  return [
    ...(row.redirect_uris_json === '[]'
      ? [
          {
            field: 'redirect_uris',
            message: 'must hold an address: a public application acts for people alone',
          },
        ]
      : []),
    ...called.map((field) => ({ field, message: 'must be null: a public application is not called' })),
    ...(row.link_prefixes_json === '[]'
      ? []
      : [{ field: 'link_prefixes', message: 'must be empty: a public application hears no events' }]),
    ...(['commands', 'shortcuts'] as const)
      .filter((field) => row[`${field}_json`] !== '[]')
      .map((field) => ({ field, message: 'must be empty: a public application hears of nothing' })),
    ...(row.has_home === 1
      ? [{ field: 'has_home', message: 'must be false: a public application hears of nothing' }]
      : []),
    ...(row.require_pkce === 1
      ? []
      : [{ field: 'require_pkce', message: 'must be true: nothing else protects a public application' }]),
  ];
}
