import {
  InvalidFields,
  NotAllowed,
  timestamp,
  type UserPrincipal,
  type Viewer,
  viewerOf,
  WrongMention,
} from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type Format, mentionedNames } from '#platform/text/index.ts';
import type { MessageRow } from '#schema';
import { lockTeam } from '../../../teams/index.ts';
import type { Block } from '../../blocks/index.ts';
import type { DirectApplications } from '../direct/application.service.ts';
import { deletePin } from '../pins/pin.store.ts';
import { keepReadWhileMoved } from '../reading/moved-subject.ts';
import { settleDeleted } from '../reading/reading.store.ts';
import { deleteSavedOf } from '../saved/saved.store.ts';
import type { NamingOfSubjects } from '../subjects/naming.ts';
import { lockSubjects, setSubjectOf } from '../subjects/subject.store.ts';
import { deleteUnfurls } from '../unfurls/unfurl.store.ts';
import { dropUnlinked } from '../unfurls/unlinked.ts';
import { deleteVersions, dropOldVersions, keepVersion } from '../versions/version.store.ts';
import { accessMessage, refuseDeleted, refuseUnlessInCharge } from '../view/message.access.ts';
import { keptLinks } from '../view/message.links.ts';
import type { MessageEvent } from '../view/message.schema.ts';
import { readersOf, withNames } from '../view/named-people.ts';
import { hasTextOfBlocks, saidIn } from '../view/shown-blocks.ts';
import { lockMessage, type SeenMessage } from '../view/view.store.ts';
import { type EditedAttachments, editedAttachments, storeEdited } from './edited-attachments.ts';
import { changeText, eraseMessage } from './message.store.ts';
import type { GivenAttachments } from './message-input.ts';
import { BLOCKS_OF_PEOPLE, type MessageFiles, type Posting } from './posting.ts';

/** The number of earlier texts that are kept. */
export const MOST_VERSIONS = 50;
/** The number of edits that travel with the message. */
const MOST_EVENTS = 10;

/** A field that is not given stays as it is. */
export interface Edit {
  readonly text: string | undefined;
  readonly format: Format | undefined;
  /** Null for none. */
  readonly blocks: readonly Block[] | null | undefined;
  readonly attachments: GivenAttachments | undefined;
}

export type ChangeService = ReturnType<typeof changeService>;

/** Editing and deleting messages. */
export function changeService(deps: {
  clock: Clock;
  posting: Posting;
  subjects: NamingOfSubjects;
  files: MessageFiles;
  direct: DirectApplications;
  /** In characters. */
  maxText: number;
}) {
  const { clock, posting, subjects, files, direct, maxText } = deps;

  /** By its author alone; the text that it had is kept as a version, and files that are taken from it are let go. */
  async function edit(tx: Tx, author: UserPrincipal, id: string, given: Edit): Promise<void> {
    const viewer = viewerOf(author, 'write');
    const { userId } = viewer;
    const seen = await accessMessage(tx, viewer, id);
    if (seen.author_id !== userId) throw new NotAllowed('not_author', 'Only its author may edit a message');
    await direct.refuseClosed(tx, author, seen);
    const row = await lockRow(tx, seen);
    refuseDeleted(row);
    const said = await editedBy(tx, given, row, maxText);
    const { text, format, blocks_json } = said;
    const attachments = editedAttachments(row, given.attachments);
    refuseBlocks(viewer, row, blocks_json);
    checkContent(row, text, attachments);
    const attachments_json = given.attachments
      ? await storeEdited(tx, files, author, row, attachments)
      : row.attachments_json;
    const edited = { ...said, attachments_json };
    if (Object.entries(edited).every(([name, value]) => row[name as keyof typeof edited] === value)) return;
    const now = clock();
    const event: MessageEvent = { type: 'edited', user: userId, created_at: timestamp(now) };
    const names = mentionedNames(row.text, row.format);
    const kept = await keepVersion.first(tx, {
      messageId: row.id,
      text: row.text,
      format: row.format,
      blocksJson: row.blocks_json,
      namesJson: names.size === 0 ? null : JSON.stringify([...names]),
      now,
    });
    await dropOldVersions.run(tx, { messageId: row.id, most: MOST_VERSIONS });
    const changed = {
      ...row,
      ...edited,
      links_json: keptLinks({ text, format }, now),
      updated_at: now,
      events_json: JSON.stringify([...eventsOf(row), event].slice(-MOST_EVENTS)),
    };
    await changeText.run(tx, changed);
    await dropUnlinked(tx, changed);
    await posting.publish(tx, {
      kind: 'edited',
      message: changed,
      version: Number(kept?.place) + 1,
      byProgram: viewer.reach !== undefined,
      byItself: author.itself !== undefined,
    });
  }

  /**
   * Moves a conversation to the subject of a name, or out of its subject. By its author, or an admin of its team. What was
   * read stays read, and nobody is notified.
   */
  async function move(tx: Tx, viewer: Viewer, id: string, name: string | null): Promise<void> {
    const { userId } = viewer;
    const seen = await accessMessage(tx, viewer, id);
    const { team_id: teamId } = seen;
    if (teamId === null || seen.seq === null) {
      const message = 'is for what opens a conversation in a team: replies are about the same';
      throw new InvalidFields({ field: 'subject', message });
    }
    await refuseUnlessInCharge(tx, userId, seen, 'move a conversation');
    await lockTeam.first(tx, { id: teamId });
    const row = await lockRow(tx, seen);
    refuseDeleted(row);
    const [found] = name === null ? [] : await subjects.find(tx, teamId, [{ name, userId }]);
    if (found instanceof Error) throw found;
    const to = found?.id ?? null;
    if (to === row.subject_id) return;
    await lockSubjects.toMove.all(tx, { ids: [row.subject_id, to].filter((one) => one !== null) });
    await keepReadWhileMoved(tx, row, to);
    await setSubjectOf.run(tx, { messageId: row.id, subjectId: to });
    await posting.publish(tx, { kind: 'moved', message: { ...row, subject_id: to } });
  }

  /** By its author, or an admin of its team. What it said is gone for good; its place and its replies stay. */
  async function remove(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const { userId } = viewer;
    const seen = await accessMessage(tx, viewer, id);
    await refuseUnlessInCharge(tx, userId, seen, 'delete a message');
    const row = await lockRow(tx, seen);
    if (row.deleted_at !== null) return;
    const now = clock();
    const event: MessageEvent = { type: 'deleted', user: userId, created_at: timestamp(now) };
    await eraseMessage.run(tx, { id: row.id, eventsJson: JSON.stringify([event]), now });
    await deleteVersions.run(tx, { messageId: row.id });
    await deleteUnfurls.run(tx, { messageId: row.id });
    if (row.was_saved === 1) await deleteSavedOf(tx, { messageId: row.id });
    if (row.team_id !== null && row.is_pinned === 1)
      await deletePin.run(tx, { teamId: row.team_id, messageId: row.id });
    await settleDeleted(tx, { messageId: row.id, now });
    const message = {
      ...row,
      text: '',
      blocks_json: null,
      attachments_json: '[]',
      mentions_json: '[]',
      is_pinned: 0,
      deleted_at: now,
    };
    await posting.publish(tx, { kind: 'deleted', message, byItself: viewer.reach?.asTeam === true });
  }

  return { edit, move, remove };
}

async function lockRow(tx: Tx, { id }: SeenMessage): Promise<MessageRow> {
  const row = await lockMessage.first(tx, { id });
  if (!row) throw new Error(`message ${id} is gone in the transaction that read it`);
  return row;
}

const eventsOf = (row: MessageRow) => JSON.parse(row.events_json) as MessageEvent[];

/** A text that was made of the blocks is made again when they change. */
async function editedBy(tx: Tx, given: Edit, row: MessageRow, maxText: number) {
  const blocks_json =
    given.blocks === undefined ? row.blocks_json : given.blocks && JSON.stringify(given.blocks);
  const isMade = row.blocks_json !== null && hasTextOfBlocks(row);
  const own = given.text ?? (isMade && given.blocks !== undefined ? '' : row.text);
  if (own === '' && blocks_json !== null) {
    const text = saidIn(JSON.parse(blocks_json) as Block[], maxText);
    const people = [row.author_id, ...(JSON.parse(row.addressed_users_json) as string[])];
    return { text: await withNames(tx, text, readersOf(row, people)), format: null, blocks_json };
  }
  const { format = isMade ? null : row.format } = given;
  return { text: own, format, blocks_json };
}

/** Blocks are changed by the application whose they are, and so is a text beside them. */
function refuseBlocks({ reach }: Viewer, row: MessageRow, blocks_json: string | null): void {
  const had = row.blocks_json !== null;
  if (!had && blocks_json === null) return;
  if (reach === undefined) {
    if (!had) throw new InvalidFields(BLOCKS_OF_PEOPLE);
    throw new NotAllowed('has_blocks', 'The message consists of blocks, which its application changes');
  }
  if (had && reach.applicationId !== row.application_id)
    throw new NotAllowed('has_blocks', 'The blocks are those of another application');
}

function checkContent(row: MessageRow, text: string, { fileIds, others }: EditedAttachments): void {
  if (text === '' && fileIds.length + others.length === 0) {
    throw new InvalidFields({ field: 'text', message: 'must not be empty: delete the message instead' });
  }
  if (row.mentions_json !== '[]' && !text.includes('{0}')) {
    throw new WrongMention('no_placeholder', 'The text must contain {0} where the link belongs');
  }
}
