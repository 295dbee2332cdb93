import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { isOnServer } from '#platform/text/index.ts';
import type { MessageRow, PreviewJobRow } from '#schema';
import { linksOf, listBlockPictures, listLinks, type MessageChange, picturesOf } from '../messages/index.ts';
import { pageAddress } from './address.ts';
import { deleteJobsAbout, insertJobs, listJobs } from './job.store.ts';

/** Of a message, the pages of so many links are looked at. */
export const MOST_PREVIEWS = 3;
/** Of the blocks of a message, so many pictures are fetched. */
export const MOST_PICTURES = 20;

type Address = Pick<PreviewJobRow, 'url' | 'kind'>;
type Change<Kind> = Extract<MessageChange, { kind: Kind }>;

export type PreviewService = ReturnType<typeof previewService>;

/** Notes which links and pictures of messages a worker is to look at: once each, after they are posted. */
export function previewService(deps: {
  clock: Clock;
  baseUrl: () => string;
  /** Without previews nothing is noted. */
  isOn: boolean;
  allowsHttp: boolean;
  wake: () => void;
}) {
  const { clock, baseUrl, isOn, allowsHttp, wake } = deps;

  /** A message without a link and a picture costs nothing. */
  async function onPosted(tx: Tx, { message }: Change<'posted'>): Promise<void> {
    add(tx, message, wanted(message), 0);
  }

  async function onEdited(tx: Tx, { message, byProgram }: Change<'edited'>): Promise<void> {
    const addresses = wanted(message);
    if (addresses.length === 0) return;
    const messageId = message.id;
    const known: Address[] = [
      ...(await listJobs.all(tx, { messageId })),
      ...(await listLinks.all(tx, { messageId })).map(({ url }) => ({ url, kind: 'page' as const })),
      ...(await listBlockPictures.all(tx, { ids: [messageId] })).map(({ source_url: url }) => ({
        ...{ url, kind: 'picture' as const },
      })),
    ];
    const isKnown = ({ url, kind }: Address) => known.some((one) => one.url === url && one.kind === kind);
    add(
      tx,
      message,
      addresses.filter((one) => !isKnown(one)),
      Number(byProgram),
    );
  }

  const forget = async (tx: Tx, ids: readonly string[]): Promise<void> => {
    await deleteJobsAbout.run(tx, { ids });
  };

  function wanted(message: MessageRow): Address[] {
    const links = isOn && message.links_json !== null ? linksOf(message).filter(isForeign) : [];
    const pictures = isOn ? picturesOf(message).filter((url) => !isOnServer(new URL(url), baseUrl())) : [];
    return [
      ...links.slice(0, MOST_PREVIEWS).map((url) => ({ url, kind: 'page' as const })),
      ...pictures.slice(0, MOST_PICTURES).map((url) => ({ url, kind: 'picture' as const })),
    ];
  }

  function isForeign(link: string): boolean {
    const url = pageAddress(link, allowsHttp);
    return url !== undefined && !isOnServer(url, baseUrl());
  }

  function add(tx: Tx, message: MessageRow, addresses: readonly Address[], by_program: number): void {
    if (addresses.length === 0) return;
    const now = clock();
    for (const { url, kind } of addresses) {
      tx.gather(insertJobs, {
        id: newId(),
        message_id: message.id,
        source: message.author_id,
        ...{ url, kind },
        by_program,
        num_attempts: 0,
        due_at: now,
        created_at: now,
      });
    }
    tx.afterCommit(wake);
  }

  return { onPosted, onEdited, forget };
}
