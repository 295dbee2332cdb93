import {
  type FieldProblem,
  InvalidFields,
  lookUp,
  NotAllowed,
  NotFound,
  ScopeMissing,
  type UserPrincipal,
  type Viewer,
  viewerOf,
} from '#api';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import type { MessageRow, UnfurlRow } from '#schema';
import { readCardBlocks } from '../../blocks/index.ts';
import type { DirectApplications } from '../direct/application.service.ts';
import { accessMessage, refuseDeleted, refuseUnlessInCharge } from '../view/message.access.ts';
import { linksOf } from '../view/message.links.ts';
import type { MessageListener } from '../view/message.listener.ts';
import { MAX_UNFURL_TEXT, type NewUnfurls } from '../view/message.schema.ts';
import { readersOf, withNames } from '../view/named-people.ts';
import { listBlockPictures, picturesOf } from '../view/picture.view.ts';
import { saidIn } from '../view/shown-blocks.ts';
import type { PageCard, UnfurlCard } from '../view/unfurl.view.ts';
import { lockMessage, lockMessages, type SeenMessage } from '../view/view.store.ts';
import {
  deleteOfInstallation,
  deleteSome,
  findUnfurl,
  insertUnfurls,
  listCards,
  listOfLink,
  markRemoved,
  noteUnfurls,
  pageOfApplication,
} from './unfurl.store.ts';

/**
 * Locks the installation of an application until the transaction ends.
 * @returns which links lead to the application; undefined where the team does not have it
 */
export type OwnLinks = (
  tx: Tx,
  applicationId: string,
  teamId: string,
) => Promise<((url: string) => boolean) | undefined>;

const PRUNED_AT_ONCE = 500;
const JUST_SHOWN = { removed_at: null, picture_id: null };

type Shown = Pick<UnfurlRow, 'id' | 'url' | 'card_json'>;

export type UnfurlService = ReturnType<typeof unfurlService>;

/** Cards of links, below the messages with these links: of applications, and of foreign pages. */
export function unfurlService(deps: {
  clock: Clock;
  publish: MessageListener;
  ownLinks: OwnLinks;
  direct: DirectApplications;
}) {
  const { clock, publish, ownLinks, direct } = deps;

  /**
   * Puts the cards of the calling application in place of those that it has at the message. A link whose card a member
   * has removed gets none again.
   * @throws NotAllowed for a person, and where the application cannot write to the one who reads it
   * @throws InvalidFields for a link that is not in the text, or not its own
   */
  async function put(tx: Tx, principal: UserPrincipal, id: string, cards: readonly Card[]): Promise<void> {
    const { applicationId, teamId } = asItself(principal);
    const seen = await accessMessage(tx, viewerOf(principal, 'read'), id);
    // Before the message, as an uninstallation locks them.
    const isOwn = await ownLinks(tx, applicationId, teamId);
    if (!isOwn) throw new NotFound();
    if (cards.length > 0) await direct.refuseClosed(tx, principal, seen);
    const row = await lockRow(tx, seen);
    // There is nothing to take away any more.
    if (cards.length > 0) refuseDeleted(row);
    const links = new Set(linksOf(row));
    const problems = cards.flatMap(({ url }, at): FieldProblem[] => {
      const field = `unfurls.${at}.url`;
      if (!links.has(url)) return [{ field, message: 'must be a link in the text of the message' }];
      if (!isOwn(url))
        return [{ field, message: 'must begin with one of the link_prefixes that the team has granted' }];
      const isFirst = cards.findIndex((card) => card.url === url) === at;
      return isFirst ? [] : [{ field, message: 'must not be there twice' }];
    });
    if (problems.length > 0) throw new InvalidFields(problems);
    await replace(tx, row, { applicationId, teamId }, cards);
  }

  async function replace(
    tx: Tx,
    { id: messageId }: MessageRow,
    { applicationId, teamId }: { applicationId: string; teamId: string },
    cards: readonly Card[],
  ): Promise<void> {
    const known = await listCards.all(tx, { messageId, applicationId });
    const removed = new Set(known.filter(({ removed_at }) => removed_at !== null).map(({ url }) => url));
    const shown = known.filter((one) => one.removed_at === null && one.application_id !== null);
    const wanted: Shown[] = [];
    for (const { url, isMade, ...card } of cards) {
      if (removed.has(url)) continue;
      const id = shown.find((one) => one.url === url)?.id ?? newId();
      const text = isMade ? await withNames(tx, card.text, readersOf({ team_id: teamId }, [])) : card.text;
      wanted.push({ id, url, card_json: JSON.stringify({ ...card, text }) });
    }
    if (isSame(shown, wanted)) return;
    await deleteSome.run(tx, { ids: shown.map(({ id }) => id) });
    const of = { message_id: messageId, team_id: teamId, application_id: applicationId, ...JUST_SHOWN };
    await insertUnfurls(
      tx,
      wanted.map((card) => ({ ...card, ...of })),
    );
    await tell(tx, messageId);
  }

  /**
   * Shows what a foreign page says of itself, for good.
   * @returns false where the link is not in the text any more, or has a card, or had one that was removed
   */
  async function showPage(
    tx: Tx,
    {
      messageId,
      url,
      card,
      pictureId,
    }: { messageId: string; url: string; card: PageCard; pictureId: string | null },
  ): Promise<boolean> {
    const row = await lockMessage.first(tx, { id: messageId });
    if (!row || row.deleted_at !== null || !linksOf(row).includes(url)) return false;
    const known = await listOfLink.all(tx, { messageId, url });
    if (known.some((one) => one.application_id === null || one.removed_at !== null)) return false;
    const of = { message_id: messageId, team_id: row.team_id, application_id: null, ...JUST_SHOWN };
    const card_json = JSON.stringify(card);
    await insertUnfurls(tx, [{ id: newId(), url, card_json, ...of, picture_id: pictureId }]);
    await tell(tx, messageId);
    return true;
  }

  /**
   * Shows a picture of a message's blocks.
   * @param shown.show marks it as shown
   * @returns false where the blocks have it no more, or it is shown already
   */
  async function showPicture(
    tx: Tx,
    { messageId, url, show }: { messageId: string; url: string; show: () => Promise<void> },
  ): Promise<boolean> {
    const row = await lockMessage.first(tx, { id: messageId });
    if (!row || row.deleted_at !== null || !picturesOf(row).includes(url)) return false;
    const known = await listBlockPictures.all(tx, { ids: [messageId] });
    if (known.some((one) => one.source_url === url)) return false;
    await show();
    await tell(tx, messageId);
    return true;
  }

  /** Takes the cards of the calling application away. */
  const clear = (tx: Tx, principal: UserPrincipal, id: string) => put(tx, principal, id, []);

  /**
   * Removes a card for good, for the author of the message or an admin of its team.
   * @throws NotFound @throws NotAllowed
   */
  async function remove(tx: Tx, viewer: Viewer, id: string, unfurlId: string): Promise<void> {
    const seen = await accessMessage(tx, viewer, id);
    await refuseUnlessInCharge(tx, viewer.userId, seen, 'remove a preview');
    const { id: messageId } = await lockRow(tx, seen);
    const card = await lookUp(unfurlId, (known) => findUnfurl.first(tx, { id: known, messageId }));
    if (await markRemoved.first(tx, { ...card, messageId, now: clock() })) await tell(tx, messageId);
  }

  async function tell(tx: Tx, messageId: string): Promise<void> {
    const message = await noteUnfurls.first(tx, { messageId });
    if (message) await publish(tx, { kind: 'unfurled', message });
  }

  /** The team sees no cards of an application that it does not have any more. */
  async function onInstallationChange(
    tx: Tx,
    of: { application_id: string; team_id: string; change: string; linksTaken?: boolean },
  ): Promise<void> {
    const { application_id: applicationId, team_id: teamId } = of;
    if (of.change === 'removed') await deleteOfInstallation.run(tx, { applicationId, teamId });
    else if (of.linksTaken) await prune(tx, applicationId, teamId);
  }

  const onLinksChange = (tx: Tx, { application }: { application: { id: string } }) =>
    prune(tx, application.id);

  /**
   * Takes away the cards for links that the application does not have any more, in one team or in all. The messages are
   * locked first, as where a card is changed, in the order of their ids.
   */
  async function prune(tx: Tx, applicationId: string, teamId?: string): Promise<void> {
    const ownIn = new Map<string, Awaited<ReturnType<OwnLinks>>>();
    const lost: Awaited<ReturnType<typeof pageOfApplication>> = [];
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const cards = await pageOfApplication(tx, { applicationId, teamId, after, limit: PRUNED_AT_ONCE });
      for (const { team_id } of cards)
        if (!ownIn.has(team_id)) ownIn.set(team_id, await ownLinks(tx, applicationId, team_id));
      lost.push(...cards.filter(({ team_id, url }) => !ownIn.get(team_id)?.(url)));
      after = cards.length < PRUNED_AT_ONCE ? undefined : cards.at(-1)?.id;
    }
    if (lost.length === 0) return;
    const messageIds = [...new Set(lost.map(({ message_id }) => message_id))];
    await lockMessages.all(tx, { ids: messageIds });
    await deleteSome.run(tx, { ids: lost.map(({ id }) => id) });
    for (const messageId of messageIds) await tell(tx, messageId);
  }

  return { put, clear, showPage, showPicture, remove, onInstallationChange, onLinksChange };
}

/** @throws NotAllowed for a person @throws ScopeMissing: who may not read a message shows nothing of its links */
function asItself({ grant, itself }: UserPrincipal): { applicationId: string; teamId: string } {
  if (!grant || !itself) throw new NotAllowed('not_application', 'Only an application shows previews');
  if (!grant.scopes.includes('messages:read')) throw new ScopeMissing('messages:read');
  return { applicationId: grant.applicationId, teamId: itself.teamId };
}

async function lockRow(tx: Tx, { id }: SeenMessage): Promise<MessageRow> {
  const row = await lockMessage.first(tx, { id });
  if (!row) throw new Error(`message ${id} is gone in the transaction that read it`);
  return row;
}

/** A card of an application, checked as far as that needs no database. */
interface Card extends UnfurlCard {
  readonly url: string;
  /** Whether the text is that of the blocks. */
  readonly isMade: boolean;
}

/** Reads cards before their transaction begins. @throws InvalidFields */
export const readCards = ({ unfurls }: NewUnfurls): Card[] =>
  unfurls.map(({ url, title, text = '', fields = [], blocks: given }, at) => {
    const blocks = readCardBlocks(given, at);
    return {
      url,
      title,
      text: text || saidIn(blocks, MAX_UNFURL_TEXT),
      isMade: text === '' && blocks !== undefined,
      fields: fields.map(({ name, value }) => ({ name, value })),
      ...(blocks && { blocks: [...blocks] }),
    };
  });

/** A repeated request changes nothing, and nobody is told. */
function isSame(shown: readonly Shown[], wanted: readonly Shown[]): boolean {
  const cards = new Map(shown.map(({ id, card_json }) => [id, card_json]));
  return cards.size === wanted.length && wanted.every(({ id, card_json }) => cards.get(id) === card_json);
}
