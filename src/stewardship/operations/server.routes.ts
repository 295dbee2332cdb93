import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { defineRoute } from '#api';

const ServerFacts = Type.Object({
  needs_setup: Type.Boolean({
    description: 'Nobody has an account yet: the first one administers the server',
  }),
  needs_setup_link: Type.Boolean({
    description: 'The first account needs the link that the server printed when it started',
  }),
  registration: Type.Enum(['open', 'invite', 'closed'], { description: 'Who may sign up after the first' }),
  domain_sign_up: Type.Boolean({
    description:
      'With `registration: invite`, people whose address is in some domains sign up without an invitation',
  }),
  profile_visibility: Type.Enum(['everyone', 'connections'], {
    description: 'Who sees profiles: everyone with an account here, or people who share a team',
  }),
  custom_emoji: Type.Enum(['members', 'admins', 'off'], {
    description: 'Who may add emoji: everyone with an account here, administrators of the server, or nobody',
  }),
  link_previews: Type.Boolean({
    description:
      'Whether the server looks at pages that messages link to; teams and people choose within this',
  }),
  application_posting: Type.Enum(['user', 'team'], {
    description:
      'Where an application posts for a person, and which teams it lists: all of theirs, or the one it was opened from',
  }),
  version: Type.String(),
  mail: Type.Boolean({ description: 'Mails are sent; otherwise links must be handed on by hand' }),
  max_upload_bytes: Type.Integer(),
  max_text_length: Type.Integer({ description: 'Of a message, in characters' }),
  scopes: Type.Array(Type.String(), { description: 'What an application may ask for' }),
});

export interface ServerFactsDeps {
  /** Facts that stay the same while the server runs. */
  readonly facts: {
    readonly registration: 'open' | 'invite' | 'closed';
    readonly profile_visibility: 'everyone' | 'connections';
    readonly custom_emoji: 'members' | 'admins' | 'off';
    readonly link_previews: boolean;
    readonly application_posting: 'user' | 'team';
    readonly version: string;
    readonly mail: boolean;
    readonly max_upload_bytes: number;
    readonly max_text_length: number;
    readonly scopes: readonly string[];
  };
  readonly hasAccounts: () => Promise<boolean>;
  /** Whether addresses in some domains let people in. */
  readonly letsDomainsIn: () => Promise<boolean>;
  /** Whether such a request may make the first account with the link alone. */
  readonly needsLink: (request: FastifyRequest) => boolean;
}

/** Facts that a client needs before its user signs in. */
export function serverRoutes(app: FastifyInstance, deps: ServerFactsDeps): void {
  const { facts, hasAccounts, letsDomainsIn, needsLink } = deps;
  defineRoute(app, {
    method: 'GET',
    path: '/v1/server',
    access: 'anyone',
    tag: 'Server',
    summary: 'What a client must know of this server before anybody is signed in',
    item: ServerFacts,
    handle: async ({ request }) => {
      const needs_setup = !(await hasAccounts());
      const needs_setup_link = needs_setup && needsLink(request);
      const domain_sign_up = facts.registration === 'invite' && (await letsDomainsIn());
      return [{ ...facts, scopes: [...facts.scopes], needs_setup, needs_setup_link, domain_sign_up }];
    },
  });
}
