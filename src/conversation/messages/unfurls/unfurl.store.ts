import type { NotNull } from 'kysely';
import { inIdList, type Reader } from '#platform/db/index.ts';
import { insertion, query, statement, type UnfurlRow } from '#schema';

/**
 * The cards of an application at a message, with ours of foreign pages, and those that were removed. The caller has locked the
 * message's row.
 */
export const listCards = statement<{ messageId: string; applicationId: string | null }>()((q, p) =>
  q
    .selectFrom('unfurls')
    .select(['id', 'url', 'card_json', 'removed_at', 'application_id'])
    .where('message_id', '=', p.messageId)
    .where((eb) => eb.or([eb('application_id', '=', p.applicationId), eb('application_id', 'is', null)]))
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
  'picture_id',
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
): Promise<(Pick<UnfurlRow, 'id' | 'url' | 'message_id'> & { team_id: string })[]> {
  return query(db, (q) => {
    const found = q
      .selectFrom('unfurls')
      .select(['id', 'url', 'team_id', 'message_id'])
      .where('application_id', '=', of.applicationId)
      .where('team_id', 'is not', null)
      .$narrowType<{ team_id: NotNull }>()
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

/** Its content is gone; the link stays, so that it gets no card again. Our card of the same link goes with it. */
export const markRemoved = statement<{ id: string; url: string; messageId: string; now: number }>()((q, p) =>
  q
    .updateTable('unfurls')
    .set({ card_json: '', removed_at: p.now, picture_id: null })
    .where('message_id', '=', p.messageId)
    .where('removed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('id', '=', p.id), eb.and([eb('application_id', 'is', null), eb('url', '=', p.url)])]),
    )
    .returning('id'),
);

export const findUnfurl = statement<{ id: string; messageId: string }>()((q, p) =>
  q.selectFrom('unfurls').select(['id', 'url']).where('id', '=', p.id).where('message_id', '=', p.messageId),
);

/** Where a link of a message has a card, or had one that was removed. */
export const listOfLink = statement<{ messageId: string; url: string }>()((q, p) =>
  q
    .selectFrom('unfurls')
    .select(['application_id', 'removed_at'])
    .where('message_id', '=', p.messageId)
    .where('url', '=', p.url),
);

/** All links of a message that have a card, or had one. */
export const listLinks = statement<{ messageId: string }>()((q, p) =>
  q.selectFrom('unfurls').select('url').where('message_id', '=', p.messageId),
);

/** The pictures that the cards of a message show. */
export const listPictures = statement<{ messageId: string }>()((q, p) =>
  q
    .selectFrom('unfurls')
    .select('picture_id')
    .where('message_id', '=', p.messageId)
    .where('picture_id', 'is not', null)
    .$narrowType<{ picture_id: NotNull }>(),
);

/** The previews of foreign pages below some messages. */
export const listPages = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('unfurls')
    .select(['message_id', 'url', 'card_json'])
    .where(inIdList(dialect, 'message_id', p.ids))
    .where('application_id', 'is', null)
    .where('removed_at', 'is', null)
    .orderBy('id'),
);

/** Notes whether a message has cards, or pictures of its blocks. */
export const noteUnfurls = statement<{ messageId: string }>()((q, p) =>
  q
    .updateTable('messages')
    .set((eb) => ({
      has_unfurls: eb
        .case()
        .when(
          eb.or([
            eb.exists(
              eb
                .selectFrom('unfurls')
                .select('unfurls.id')
                .where('unfurls.message_id', '=', p.messageId)
                .where('unfurls.removed_at', 'is', null),
            ),
            eb.exists(
              eb
                .selectFrom('pictures')
                .select('pictures.id')
                .where('pictures.place_id', '=', p.messageId)
                .where('pictures.status', '=', 'shown')
                .where('pictures.source_url', 'is not', null),
            ),
          ]),
        )
        .then(1)
        .else(0)
        .end(),
    }))
    .where('id', '=', p.messageId)
    .returningAll(),
);
