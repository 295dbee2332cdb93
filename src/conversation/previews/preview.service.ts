import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { isOnServer } from '#platform/text/index.ts';
import type { MessageRow } from '#schema';
import { linksOf, listLinks, type MessageChange } from '../messages/index.ts';
import { pageAddress } from './address.ts';
import { deleteJobsAbout, insertJobs, listJobs } from './job.store.ts';

/** Of a message, the pages of so many links are looked at. */
export const MOST_PREVIEWS = 3;

type Change<Kind> = Extract<MessageChange, { kind: Kind }>;

export type PreviewService = ReturnType<typeof previewService>;

/** Notes which links of messages a worker is to look at: once each, after they are posted. */
export function previewService(deps: {
  clock: Clock;
  baseUrl: () => string;
  /** Without previews nothing is noted. */
  isOn: boolean;
  allowsHttp: boolean;
  wake: () => void;
}) {
  const { clock, baseUrl, isOn, allowsHttp, wake } = deps;

  /** A message without a link costs nothing. */
  async function onPosted(tx: Tx, { message }: Change<'posted'>): Promise<void> {
    if (isOn && message.links_json !== null) add(tx, message, wanted(message), 0);
  }

  async function onEdited(tx: Tx, { message, byProgram }: Change<'edited'>): Promise<void> {
    const links = isOn && message.links_json !== null ? wanted(message) : [];
    if (links.length === 0) return;
    const messageId = message.id;
    const known = [...(await listJobs.all(tx, { messageId })), ...(await listLinks.all(tx, { messageId }))];
    const seen = new Set(known.map(({ url }) => url));
    add(
      tx,
      message,
      links.filter((url) => !seen.has(url)),
      Number(byProgram),
    );
  }

  const forget = async (tx: Tx, ids: readonly string[]): Promise<void> => {
    await deleteJobsAbout.run(tx, { ids });
  };

  const wanted = (message: MessageRow): string[] =>
    linksOf(message).filter(isForeign).slice(0, MOST_PREVIEWS);

  function isForeign(link: string): boolean {
    const url = pageAddress(link, allowsHttp);
    return url !== undefined && !isOnServer(url, baseUrl());
  }

  function add(tx: Tx, message: MessageRow, links: readonly string[], by_program: 0 | 1 | number): void {
    if (links.length === 0) return;
    const now = clock();
    for (const url of links) {
      tx.gather(insertJobs, {
        id: newId(),
        message_id: message.id,
        source: message.author_id,
        url,
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
