import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  defineRoute,
  listPage,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  Timestamp,
  timeKeyOf,
  timestamp,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { type UserPresenter, UserSummary } from '../../people/users/index.ts';
import {
  type ApplicationService,
  PublicApplication,
  presentSuspension,
  Suspension,
} from '../applications/index.ts';
import { type OwnedApplication, pageOfApplications } from './administration.store.ts';

/** The server administrator's view of an application. */
const AdministeredApplication = Type.Object({
  ...PublicApplication.properties,
  owner: Shared(UserSummary),
  num_installations: Type.Integer({ description: 'Teams that have it installed' }),
  suspension: Suspension,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function applicationAdministrationRoutes(
  app: FastifyInstance,
  deps: { db: Database; applications: ApplicationService; present: UserPresenter },
): void {
  const { db, applications, present } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/applications',
    access: 'superuser',
    tag: 'Administration',
    summary: 'Every application with its owner, the newest first',
    query: Type.Object(pageQuery),
    item: AdministeredApplication,
    meta: Type.Object(nextCursor),
    handle: async ({ query, principal: { userId } }) => {
      const page = readPage(query, 'number', 'id');
      const after = timeKeyOf(page);
      const { rows, next } = await listPage(
        page,
        (limit) => pageOfApplications(db, { userId, after, limit }),
        (row) => [String(row.created_at), row.id],
      );
      return new Answer(rows.map(presentAdministered), { next_cursor: next });
    },
  });

  const presentAdministered = (row: OwnedApplication) => ({
    ...applications.presentPublic(row),
    owner: present.summary({
      id: row.owner_id,
      first_name: row.owner_first_name,
      last_name: row.owner_last_name,
      username: row.owner_username,
      title: row.owner_title,
      active: row.owner_active,
      email: row.owner_email,
      image_version: row.owner_image_version,
      online_until: row.owner_online_until,
    }),
    num_installations: row.num_installations ?? 0,
    suspension: presentSuspension(row),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  });
}
