import { inIdList, type Reader } from '#platform/db/index.ts';
import { insertion, query, statement, type UnfurlRow } from '#schema';

/** All cards of an application at a message, those that were removed too. The caller has locked the message's row. */
export const listOwn = statement<{ messageId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('unfurls')
    .select(['id', 'url', 'card_json', 'removed_at'])
    .where('message_id', '=', p.messageId)
    .where('application_id', '=', p.applicationId)
    .orderBy('id'),
);

/** The links of all cards at a message. */
export const listShown = statement<{ messageId: string }>()((q, p) =>
  q
    .selectFrom('unfurls')
    .select(['id', 'url'])
    .where('message_id', '=', p.messageId)
    .where('removed_at', 'is', null),
);

export const insertUnfurls = insertion('unfurls')([
  'id',
  'message_id',
  'team_id',
  'application_id',
  'url',
  'card_json',
  'removed_at',
]);

export const deleteSome = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('unfurls').where(inIdList(dialect, 'id', p.ids)),
);

export const deleteUnfurls = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('unfurls').where('message_id', '=', p.messageId),
);

/** The cards of an application, in one team or in all. */
export function pageOfApplication(
  db: Reader,
  of: { applicationId: string; teamId?: string | undefined; after: string; limit: number },
): Promise<Pick<UnfurlRow, 'id' | 'url' | 'team_id' | 'message_id'>[]> {
  return query(db, (q) => {
    const found = q
      .selectFrom('unfurls')
      .select(['id', 'url', 'team_id', 'message_id'])
      .where('application_id', '=', of.applicationId)
      .where('removed_at', 'is', null)
      .where('id', '>', of.after)
      .orderBy('id')
      .limit(of.limit);
    return of.teamId === undefined ? found : found.where('team_id', '=', of.teamId);
  });
}

/** Removed cards stay known: the team may install the application again. */
export const deleteOfInstallation = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .deleteFrom('unfurls')
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId)
    .where('removed_at', 'is', null),
);

/** Its content is gone; the link stays, so that it gets no card again. */
export const markRemoved = statement<{ id: string; messageId: string; now: number }>()((q, p) =>
  q
    .updateTable('unfurls')
    .set({ card_json: '', removed_at: p.now })
    .where('id', '=', p.id)
    .where('message_id', '=', p.messageId)
    .where('removed_at', 'is', null)
    .returning('id'),
);

export const findUnfurl = statement<{ id: string; messageId: string }>()((q, p) =>
  q.selectFrom('unfurls').select('id').where('id', '=', p.id).where('message_id', '=', p.messageId),
);

/** Notes whether a message has cards. */
export const noteUnfurls = statement<{ messageId: string }>()((q, p) =>
  q
    .updateTable('messages')
    .set((eb) => ({
      has_unfurls: eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('unfurls')
              .select('unfurls.id')
              .where('unfurls.message_id', '=', p.messageId)
              .where('unfurls.removed_at', 'is', null),
          ),
        )
        .then(1)
        .else(0)
        .end(),
    }))
    .where('id', '=', p.messageId)
    .returningAll(),
);
