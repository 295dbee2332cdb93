import type { QueryCreator } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import {
  type ApplicationRow,
  deletion,
  type EphemeralAnswerRow,
  insertion,
  statement,
  type Tables,
} from '#schema';

export const insertAnswer = insertion('ephemeral_answers')([
  'id',
  'message_id',
  'team_id',
  'application_id',
  'user_id',
  'text',
  'blocks_json',
  'created_at',
]);

export type ListedAnswer = EphemeralAnswerRow & Pick<ApplicationRow, 'name' | 'icon'>;

/** What a person was answered in a team, the newest first. */
export const listAnswers = statement<{ userId: string; teamId: string; since: number; limit: number }>()(
  (q, p) =>
    q
      .selectFrom('ephemeral_answers')
      .innerJoin('applications', 'applications.id', 'ephemeral_answers.application_id')
      .selectAll('ephemeral_answers')
      .select(['applications.name', 'applications.icon'])
      .where('ephemeral_answers.user_id', '=', p.userId)
      .where('ephemeral_answers.team_id', '=', p.teamId)
      .where('ephemeral_answers.created_at', '>', p.since)
      .orderBy('ephemeral_answers.id', 'desc')
      .limit(p.limit),
);

/** The answers of an application to a person, the newest first. */
const answersOf = (q: QueryCreator<Tables>, of: { userId: string; applicationId: string }) =>
  q
    .selectFrom('ephemeral_answers')
    .select('id')
    .where('user_id', '=', of.userId)
    .where('application_id', '=', of.applicationId)
    .orderBy('id', 'desc');

export const listAnswerIds = statement<{ userId: string; messageId: string; applicationId: string }>()(
  (q, p) => answersOf(q, p).where('message_id', '=', p.messageId),
);

/** Those to commands and shortcuts of a team. */
export const listAnswerIdsInTeam = statement<{ userId: string; teamId: string; applicationId: string }>()(
  (q, p) => answersOf(q, p).where('team_id', '=', p.teamId).where('message_id', 'is', null),
);

/** Of concurrent callers, one gets the row. */
export const takeAnswer = statement<{ id: string; userId: string }>()((q, p) =>
  q
    .deleteFrom('ephemeral_answers')
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .returning('team_id'),
);

export const deleteAnswers = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('ephemeral_answers').where(inIdList(dialect, 'id', p.ids)),
);

export const deleteAnswersBelow = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('ephemeral_answers').where('message_id', '=', p.messageId),
);

export const deleteOfInstallation = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .deleteFrom('ephemeral_answers')
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId),
);

export const purgeAnswers = deletion('ephemeral_answers')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before),
);
