import { callerOf, InvalidFields, type UserPrincipal, WrongMention } from '#api';
import type { Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { MessageRow } from '#schema';
import { findObject } from '../../../objects/index.ts';
import { findMember } from '../../../teams/index.ts';
import type { MessageListener } from '../view/message.listener.ts';
import { readersOf, withNames } from '../view/named-people.ts';
import { type Destination, insertMessages, newMessage } from './message.store.ts';
import type { Content } from './message-input.ts';

/** The uploads that messages hold. */
export interface MessageFiles {
  /** @param held files of the message already @throws InvalidFields for a file that cannot be attached */
  check(db: Reader, author: UserPrincipal, ids: readonly string[], held?: readonly string[]): Promise<void>;
  /** Lets go of files that are held and not named. @returns what the message keeps of new ones @throws InvalidFields */
  attach(
    tx: Tx,
    author: UserPrincipal,
    message: { readonly id: string; readonly placeId: string | null; readonly held: readonly string[] },
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, unknown>>;
}

/** A message before it has a place. */
export interface Draft {
  readonly author: UserPrincipal;
  readonly content: Content;
  readonly mentions: readonly unknown[];
}

export const BLOCKS_OF_PEOPLE = {
  field: 'blocks',
  message: 'come from applications and incoming webhooks: people write text',
  pointer: '/blocks',
};

export type Posting = ReturnType<typeof messagePosting>;

/** The common part of posting a message, a reply, and one in a sidebar. */
export function messagePosting(deps: { clock: Clock; files: MessageFiles; publish: MessageListener }) {
  const { clock, files, publish } = deps;

  /**
   * The object must be the posting application’s own, on a team that the author is in.
   * @returns the mention as it is kept @throws WrongMention
   */
  async function checkMention(tx: Tx, author: UserPrincipal, mention: NonNullable<Content['mention']>) {
    const object = await findObject.first(tx, { id: mention.id });
    const own = object !== undefined && object.application_id === author.grant?.applicationId;
    const { onlyTeam } = callerOf(author);
    const reached = own && (onlyTeam === undefined || object.team_id === onlyTeam);
    const seen =
      reached &&
      (author.itself || (await findMember.first(tx, { teamId: object.team_id, userId: author.userId })));
    if (seen) return { type: 'appobject', id: mention.id, name: mention.name ?? object.name };
    const message = 'The mentioned object does not exist, or is not this application’s';
    throw new WrongMention('not_found', message);
  }

  /**
   * Checks what takes the database, and writes nothing: a refused message undoes no other one of its group.
   * @throws WrongMention @throws InvalidFields
   */
  async function draft(tx: Tx, author: UserPrincipal, content: Content): Promise<Draft> {
    if (content.blocks && !author.grant && !author.itself) throw new InvalidFields(BLOCKS_OF_PEOPLE);
    await files.check(tx, author, content.fileIds);
    const mentions = content.mention ? [await checkMention(tx, author, content.mention)] : [];
    return { author, content, mentions };
  }

  /**
   * Gives messages their rows, which are not stored yet; their files are attached.
   * @throws InvalidFields for a file that was removed after the draft, which undoes the whole batch
   */
  async function rowsOf<One extends { readonly draft: Draft; readonly place: Destination }>(
    tx: Tx,
    messages: readonly One[],
  ): Promise<(One & { readonly row: MessageRow })[]> {
    const now = clock();
    const written: (One & { readonly row: MessageRow })[] = [];
    for (const one of messages) written.push({ ...one, row: await rowOf(tx, one.draft, one.place, now) });
    return written;
  }

  /** Stores one message. */
  async function store(tx: Tx, drafted: Draft, place: Destination): Promise<MessageRow> {
    const row = await rowOf(tx, drafted, place, clock());
    await insertMessages(tx, [row]);
    return row;
  }

  async function rowOf(
    tx: Tx,
    { author, content, mentions }: Draft,
    place: Destination,
    now: number,
  ): Promise<MessageRow> {
    const id = newId(place.after);
    const placeId = place.team_id ?? place.conversation_id ?? place.root_conversation_id ?? null;
    const joined = await files.attach(tx, author, { id, placeId, held: [] }, content.fileIds);
    const attached = [...new Set(content.fileIds)].map((file) => joined.get(file));
    const at = { ...place, direct_team_id: place.direct?.teamId ?? null };
    const readers = readersOf(at, [author.userId, ...place.addressees]);
    const said = content.isMade ? { ...content, text: await withNames(tx, content.text, readers) } : content;
    return newMessage({ id, author, content: said, place, attached, mentions, now });
  }

  /** Once everything is stored that tells who may see it. @param people of a direct conversation */
  async function announce(
    tx: Tx,
    message: MessageRow,
    { author, content: { key } }: Draft,
    people?: readonly string[],
  ): Promise<void> {
    await publish(tx, { kind: 'posted', message, people, key, byItself: author.itself !== undefined });
  }

  return { draft, rowsOf, store, announce, publish };
}
