import { sql } from 'kysely';
import { inIdList, type Tx } from '#platform/db/index.ts';
import { deletion, statement } from '#schema';

interface About {
  ids: readonly string[];
}

/** Marks them as deleted too, so that a server that starts does not index them. */
export const blankMessages = statement<About & { now: number }>()((q, p, dialect) =>
  q
    .updateTable('messages')
    .set({
      text: '',
      format: null,
      blocks_json: null,
      addressed_users_json: '[]',
      attachments_json: '[]',
      mentions_json: '[]',
      events_json: '[]',
      num_high_fives: 0,
      reactions_json: null,
      has_unfurls: 0,
      is_pinned: 0,
      links_json: null,
      subject_id: null,
      deleted_at: sql<number>`coalesce(deleted_at, ${p.now})`,
    })
    .where(inIdList(dialect, 'id', p.ids)),
);

export const deleteReactions = deletion('reactions')<About>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'message_id', p.ids)),
);

/** What people have saved of them. */
export const deleteSavedIn = deletion('saved_messages')<About>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'message_id', p.ids)),
);

export const deletePinsIn = deletion('pins')<About>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'message_id', p.ids)),
);

export const deleteClicksIn = deletion('interactions')<About>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'message_id', p.ids)),
);

export const deleteAnswersBelow = deletion('ephemeral_answers')<About>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'message_id', p.ids)),
);

export const forgetClicks = deletion('interactions')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const forgetAnswers = deletion('ephemeral_answers')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const forgetForms = deletion('forms')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const forgetHomes = deletion('homes')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const forgetSaved = deletion('saved_messages')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const deleteVersions = statement<About>()((q, p, dialect) =>
  q.deleteFrom('message_versions').where(inIdList(dialect, 'message_id', p.ids)),
);

export const deleteUnfurls = statement<About>()((q, p, dialect) =>
  q.deleteFrom('unfurls').where(inIdList(dialect, 'message_id', p.ids)),
);

/** The members of the sidebars beside some messages, with their read cursors. */
export const deleteSidebarUsers = deletion('sidebar_users')<About>((rows, p, dialect) =>
  rows.where('sidebar_id', 'in', (eb) =>
    eb
      .selectFrom('sidebars')
      .select('id')
      .where(inIdList(dialect, 'message_id', p.ids)),
  ),
);

const wordsOf = statement<About>()((q, p, dialect) => ({
  compile: () =>
    sql`DELETE FROM message_words WHERE rowid IN
      (SELECT place FROM message_index WHERE ${inIdList(dialect, 'message_id', p.ids)})`.compile(q),
}));

const indexed = statement<About>()((q, p, dialect) =>
  q.deleteFrom('message_index').where(inIdList(dialect, 'message_id', p.ids)),
);

/** Takes messages out of the full-text index; on SQLite its words are in a table of their own. */
export async function unindex(tx: Tx, about: About): Promise<void> {
  if (tx.dialect === 'sqlite') await wordsOf.all(tx, about);
  await indexed.run(tx, about);
}

/** A message with what tells whether others see it. */
export interface Written {
  id: string;
  team_id: string | null;
  sidebar_id: string | null;
  addressed_users_json: string;
  root_author_id: string | null;
}

export const pageOfWritten = statement<{ userId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .leftJoin('messages as root', 'root.id', 'messages.root_id')
    .select(['messages.id', 'messages.team_id', 'messages.sidebar_id', 'messages.addressed_users_json'])
    .select('root.author_id as root_author_id')
    .where('messages.author_id', '=', p.userId)
    .where('messages.id', '>', p.after)
    .orderBy('messages.id')
    .limit(p.limit),
);

interface PageOfTeam {
  teamId: string;
  after: string;
  limit: number;
}

/** Messages that open a conversation. */
export const pageOfStream = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('seq', 'is not', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Replies and sidebars, which have no place in the team's stream. */
export const pageBesideStream = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('seq', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Deletes the mute settings and read cursors of all users for some messages. */
export const deleteStatesAbout = deletion('message_states')<About>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'message_id', p.ids)),
);

export const forgetStates = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('message_states').where('user_id', '=', p.userId),
);

/** Deletes the exceptions to the cursors of some members. */
export const deleteMarks = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('read_marks')
    .where(inIdList(dialect, 'user_id', p.userIds))
    .where('team_id', '=', p.teamId),
);
