import { type Static, Type } from 'typebox';
import { Nullable, pageQuery, Text, Timestamp, Uuid } from '#api';

export const AuditEntry = Type.Object(
  {
    id: Uuid,
    at: Timestamp,
    actor: Nullable(Uuid),
    actor_kind: Type.String({ description: '`user`, `operator`, `system` or `application`' }),
    action: Type.String({ description: 'What was done: `team.created`, `sign_in.refused`, …' }),
    target: Nullable(Uuid),
    target_kind: Nullable(
      Type.String({ description: '`user`, `team`, `application`, `invitation`, `join_link` or `mail`' }),
    ),
    team: Nullable(Uuid),
    address: Nullable(Type.String({ description: 'The network address of the caller' })),
    detail: Type.Object({}, { additionalProperties: true }),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

const Id = (description: string) => Type.Optional(Text(100, { description }));
const Time = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e11, description }));

export const auditFilter = {
  actor: Id('Who did it: a user id'),
  action: Type.Optional(Text(100, { description: 'As `sign_in.refused`, or all of a kind: `sign_in.`' })),
  team: Id('A team id'),
  target: Id('What it was done to: an id'),
  since: Time('Unix time in seconds'),
  until: Time('Unix time in seconds; this moment is not among them'),
};

export const AuditQuery = Type.Object({ ...pageQuery, ...auditFilter });
export const AuditFilterQuery = Type.Object(auditFilter);
export type AuditFilterQuery = Static<typeof AuditFilterQuery>;
