import type { Reader } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import type { ApplicationRow } from '#schema';
import {
  findApplication,
  isLoopbackRedirect,
  isPublic,
  matchesRedirectUri,
  redirectUrisOf,
  refuseSuspended,
  scopesOf,
} from '../applications/index.ts';

/** The parameters of an authorization request, in the order in which they are documented. */
export const parameterNames = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'team',
  'prompt',
] as const;
type ParameterName = (typeof parameterNames)[number];

/** Raw values: a repeated parameter is a list. */
export type GivenParameters = Readonly<Partial<Record<ParameterName, unknown>>>;

/**
 * RFC 6749 §4.1.2.1, and OpenID Connect Core §3.1.2.6 for requests that cannot be met without interaction; with
 * advice.
 */
export const authorizationErrors = {
  invalid_request: 'Correct the parameter that `error_description` names.',
  unsupported_response_type: 'Send `code` as `response_type`.',
  invalid_scope: 'Ask only for scopes that the application has registered.',
  interaction_required: 'Leave out `prompt=none`: the person has to be asked.',
  access_denied: 'The person said no: go on without, or ask again when they want it.',
} as const;

export type AuthorizationErrorCode = keyof typeof authorizationErrors;

/** A problem that may be reported to the application, because its client id and redirect address are valid. */
export interface RequestProblem {
  readonly error: AuthorizationErrorCode;
  readonly field: ParameterName;
  readonly message: string;
}

/** The receiver of the answer. It must be valid before a browser is redirected. */
export interface Client {
  readonly application: ApplicationRow;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** A client that is unknown, or an address that it did not register: the browser must not be sent there. */
export interface ClientProblem {
  readonly field: 'client_id' | 'redirect_uri';
  readonly message: string;
}

/**
 * RFC 6749 §4.1.2.1: without both of these the error cannot be sent to the application.
 * @param origin of this server @throws NotAllowed for an application that sleeps
 */
export async function readClient(
  db: Reader,
  given: GivenParameters,
  origin: string,
): Promise<Client | ClientProblem> {
  const id = parseId(given.client_id);
  const application = id && (await findApplication.first(db, { id }));
  if (!application) return { field: 'client_id', message: 'is not an application of this server' };
  refuseSuspended(application);
  const asked = textOf(given.redirect_uri) ?? '';
  const registered = redirectUrisOf(application).find((uri) => matchesRedirectUri(uri, asked, origin));
  if (registered === undefined)
    return { field: 'redirect_uri', message: 'must be exactly one of the application’s redirect addresses' };
  // A program on loopback asks with its port, any other client may have left out the slash of a root.
  const redirectUri = isLoopbackRedirect(asked) ? asked : registered;
  return { application, redirectUri, state: textOf(given.state) };
}

/** Everything else that can be wrong; the first thing found. */
export function findProblem(given: GivenParameters, application: ApplicationRow): RequestProblem | undefined {
  const checks = [checkRepetition, checkResponseType, checkChallenge, checkMethod, checkTeam, checkPrompt];
  for (const check of checks) {
    const problem = check(given, application);
    if (problem) return problem;
  }
  return checkScope(given, application);
}

const problem = (
  field: ParameterName,
  message: string,
  error: AuthorizationErrorCode = 'invalid_request',
): RequestProblem => ({ error, field, message });

/** RFC 6749 §3.1: each parameter at most once. */
function checkRepetition(given: GivenParameters): RequestProblem | undefined {
  const repeated = parameterNames.find(
    (name) => given[name] !== undefined && typeof given[name] !== 'string',
  );
  return repeated && problem(repeated, 'must be given once, as text');
}

/** RFC 6749 §3.1.1. */
function checkResponseType({ response_type: type }: GivenParameters): RequestProblem | undefined {
  if (type === 'code') return undefined;
  return textOf(type) === undefined
    ? problem('response_type', 'is required')
    : problem('response_type', 'must be code', 'unsupported_response_type');
}

/**
 * An old client with a secret may omit PKCE if its owner allows that; a client that sends it must send it correctly.
 */
const leavesOutPkce = (given: GivenParameters, application: ApplicationRow) =>
  application.require_pkce === 0 &&
  !isPublic(application) &&
  textOf(given.code_challenge) === undefined &&
  textOf(given.code_challenge_method) === undefined;

/** RFC 7636 §4.2 and §4.4.1; required unless switched off (RFC 9700 §2.1.1): 32 bytes in base64url. */
function checkChallenge(given: GivenParameters, application: ApplicationRow): RequestProblem | undefined {
  const { code_challenge: challenge } = given;
  if (leavesOutPkce(given, application)) return undefined;
  if (textOf(challenge) === undefined)
    return problem('code_challenge', 'is missing: PKCE is required (RFC 7636)');
  if (/^[A-Za-z0-9_-]{43}$/.test(textOf(challenge) ?? '')) return undefined;
  return problem('code_challenge', 'must be the SHA-256 of a verifier in base64url (RFC 7636)');
}

/** RFC 7636 §4.3: an omitted method means "plain", which protects nothing (§7.2). */
function checkMethod(given: GivenParameters, application: ApplicationRow): RequestProblem | undefined {
  const { code_challenge_method: method } = given;
  if (leavesOutPkce(given, application)) return undefined;
  return method === 'S256' ? undefined : problem('code_challenge_method', 'must be S256');
}

function checkTeam({ team }: GivenParameters): RequestProblem | undefined {
  if (textOf(team) === undefined || parseId(team)) return undefined;
  return problem('team', 'must be the id of a team');
}

/** OpenID Connect Core §3.1.2.1: consent is always asked for, so `none` cannot succeed. */
function checkPrompt({ prompt }: GivenParameters): RequestProblem | undefined {
  const wanted = textOf(prompt)?.split(' ') ?? [];
  if (!wanted.includes('none')) return undefined;
  if (wanted.length > 1) return problem('prompt', 'none cannot be combined');
  return problem('prompt', 'the person has to be asked', 'interaction_required');
}

/** RFC 6749 §3.3. */
function checkScope(given: GivenParameters, application: ApplicationRow): RequestProblem | undefined {
  const registered = scopesOf(application);
  const unknown = scopesAsked(given)?.find((scope) => !registered.includes(scope));
  if (unknown === undefined) return undefined;
  const names = registered.length > 0 ? `only ${registered.join(' ')}` : 'none';
  return problem('scope', `has ${named(unknown)}, and the application registered ${names}`, 'invalid_scope');
}

/** Only what RFC 6749 §3.3 allows goes into an answer (§4.1.2.1). */
const named = (scope: string) =>
  /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope) ? scope : 'a scope with characters that no scope has';

/** @returns undefined for a request that leaves it to the server (RFC 6749 §3.3) */
export function scopesAsked({ scope }: GivenParameters): readonly string[] | undefined {
  const asked = textOf(scope)
    ?.split(' ')
    .filter((one) => one !== '');
  return asked?.length ? [...new Set(asked)] : undefined;
}

/** RFC 6749 §3.1: a parameter without a value counts as left out. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
