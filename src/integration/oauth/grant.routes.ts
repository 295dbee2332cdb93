import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, lookUp, NotFound, Nullable, Timestamp, timestamp, Uuid } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { shownIcon } from '../applications/index.ts';
import { deleteAgreement, listAgreements, type ShownAgreement } from './grant.store.ts';
import type { TokenRevocation } from './revocation.ts';
import { scopesInAll } from './scopes.ts';

/** A person's authorisation of an application in a team. */
const Grant = Type.Object({
  id: Uuid,
  application: Type.Object({
    id: Uuid,
    name: Type.String(),
    description: Type.String(),
    icon: Type.String(),
    base_url: Nullable(Type.String()),
  }),
  team: Type.Object({ id: Uuid, name: Type.String(), color: Type.String(), icon: Type.String() }),
  scopes: Type.Array(Type.String(), { description: 'Its present scopes beyond the default' }),
  created_at: Timestamp,
  last_used_at: Nullable(Type.Number({ description: 'When it last got a token by it, in seconds' })),
});

const tag = 'OAuth';

export function grantRoutes(
  app: FastifyInstance,
  deps: { db: Database; revocation: TokenRevocation; record: Recorder; baseUrl: () => string },
): void {
  const { db, revocation, record, baseUrl } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/grants',
    access: 'session',
    tag,
    summary: 'Which applications may act for the caller, from which teams',
    item: Grant,
    handle: async ({ principal }) =>
      (await listAgreements.all(db, { userId: principal.userId })).map((row) => presentGrant(row, baseUrl())),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/grants/:grant',
    access: 'session',
    tag,
    summary: 'Revoke an application’s access for the caller from a team: its codes and tokens end at once',
    params: Type.Object({ grant: Type.String() }),
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await end(tx, principal.userId, params.grant);
        return [];
      }),
  });

  async function end(tx: Tx, userId: string, grant: string): Promise<void> {
    const ended = await lookUp(grant, (id) => deleteAgreement.first(tx, { id, userId }));
    const { application_id: applicationId, team_id: teamId } = ended;
    await revocation.ofAgreement(tx, { userId, applicationId, teamId });
    await record(tx, { action: 'grant.ended', target: ['application', applicationId], teamId });
  }
}

const presentGrant = (row: ShownAgreement, origin: string) => ({
  id: row.id,
  application: {
    id: row.application_id,
    name: row.application_name,
    description: row.application_description,
    icon: shownIcon({ id: row.application_id, icon: row.application_icon }, origin),
    base_url: row.application_base_url || null,
  },
  team: { id: row.team_id, name: row.team_name, color: row.team_color, icon: row.team_icon },
  scopes: scopesInAll(row.asked_json, row.installed_json, row.scopes_json),
  created_at: timestamp(row.created_at),
  last_used_at: row.used_at === null ? null : timestamp(row.used_at),
});
