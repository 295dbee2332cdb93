import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import type { MessageRow, MessageVersionRow, UnfurlRow } from '#schema';
import { type ExportPart, pagesOf } from '../../../stewardship/exports/index.ts';
import { listPages } from '../unfurls/unfurl.store.ts';
import { findVersions } from '../versions/version.store.ts';
import { findWithUsers } from '../view/sidebar.store.ts';
import type { PageCard } from '../view/unfurl.view.ts';
import { pageOfAuthor } from './message.store.ts';

/** Texts may be long: a page of them must still be small. */
const PAGE = 100;

/** Everything that the person wrote: to teams, to people, as replies and in sidebars; one message a line. */
export function messagesPart(db: Database): ExportPart {
  return async function* messages({ id: userId }) {
    yield { name: 'messages.ndjson', content: lines(db, userId) };
  };
}

async function* lines(db: Database, userId: string): AsyncGenerator<string> {
  const pages = pagesOf<MessageRow>(PAGE, (last) =>
    pageOfAuthor.all(db, { userId, after: last?.id ?? LOWEST_ID, limit: PAGE }),
  );
  for await (const page of pages) {
    const sidebars = await sidebarsOf(db, page);
    const previews = await previewsOf(db, page);
    for (const row of page) {
      // Message by message: the versions of a whole page may be hundreds of megabytes.
      const about = { versions: await versionsOf(db, row), previews: previews.get(row.id) ?? [] };
      yield `${JSON.stringify(present(row, sidebars, about))}\n`;
    }
  }
}

/** A private conversation, the message beside which it is, and who takes part in it. */
interface SidebarItem {
  readonly id: string;
  readonly message: string;
  readonly users: readonly string[];
}

async function sidebarsOf(db: Database, page: readonly MessageRow[]): Promise<Map<string, SidebarItem>> {
  const ids = [...new Set(page.map((row) => row.sidebar_id).filter((id) => id !== null))];
  const sidebars = new Map<string, SidebarItem>();
  if (ids.length === 0) return sidebars;
  for (const { id, message_id, user_id } of await findWithUsers.all(db, { ids })) {
    const users = sidebars.get(id)?.users ?? [];
    sidebars.set(id, { id, message: message_id, users: user_id === null ? users : [...users, user_id] });
  }
  return sidebars;
}

async function versionsOf(db: Database, row: MessageRow): Promise<MessageVersionRow[]> {
  const isEdited = row.events_json !== '[]' && row.deleted_at === null;
  return isEdited ? findVersions.all(db, { messageId: row.id }) : [];
}

/** The previews of foreign pages, by the messages that link to them. */
async function previewsOf(db: Database, page: readonly MessageRow[]) {
  const ids = page.filter(({ has_unfurls }) => has_unfurls !== 0).map(({ id }) => id);
  return Map.groupBy(ids.length === 0 ? [] : await listPages.all(db, { ids }), (card) => card.message_id);
}

function previewOf({ url, card_json }: Pick<UnfurlRow, 'url' | 'card_json'>) {
  const { host, site, title, text } = JSON.parse(card_json) as PageCard;
  return { url, host, site, title, text };
}

const blocksOf = ({ blocks_json }: Pick<MessageRow, 'blocks_json'>) =>
  blocks_json === null ? null : (JSON.parse(blocks_json) as unknown);

function present(
  row: MessageRow,
  sidebars: ReadonlyMap<string, SidebarItem>,
  {
    versions,
    previews,
  }: {
    versions: readonly MessageVersionRow[];
    previews: readonly Pick<UnfurlRow, 'url' | 'card_json'>[];
  },
) {
  return {
    id: row.id,
    text: row.text,
    format: row.format,
    blocks: blocksOf(row),
    addressed_teams: row.team_id === null ? [] : [row.team_id],
    addressed_users: JSON.parse(row.addressed_users_json) as string[],
    addressed_application: row.direct_application_id,
    team: row.direct_team_id,
    attachments: JSON.parse(row.attachments_json) as unknown,
    mentions: JSON.parse(row.mentions_json) as unknown,
    subject_id: row.subject_id,
    reply_to: row.root_id,
    sidebar: row.sidebar_id === null ? null : sidebars.get(row.sidebar_id),
    via_app: row.application_id,
    num_replies: row.num_replies,
    num_high_fives: row.num_high_fives,
    events: JSON.parse(row.events_json) as unknown,
    versions: versions.map(({ text, format, blocks_json, replaced_at }) => ({
      text,
      format,
      blocks: blocksOf({ blocks_json }),
      replaced_at: timestamp(replaced_at),
    })),
    previews: previews.map(previewOf),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    deleted_at: row.deleted_at === null ? null : timestamp(row.deleted_at),
  };
}
