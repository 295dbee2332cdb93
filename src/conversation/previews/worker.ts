import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { isDue, type Rounds, startRounds } from '#platform/jobs/index.ts';
import type { PreviewJobRow } from '#schema';
import { linksOf, listBlockPictures, listOfLink, picturesOf, type UnfurlService } from '../messages/index.ts';
import type { PictureService, ShownPicture } from '../pictures/index.ts';
import { claimJob, deleteJob, findLinked, markSeen, nextSource, postponeJob } from './job.store.ts';
import type { Look, LookAt } from './looking.ts';
import { mayLook, mayLookForBlocks } from './may-look.ts';
import type { NoAnswer } from './visit.ts';

/** Pages that are looked at together, of all people and of one host. Of one person it is one. */
export const AT_ONCE = 8;
export const OF_HOST = 2;
/** Of one person. What is more waits for the next minute; a day later nobody wants it any more. */
export const PER_MINUTE = 30;
export const PER_DAY = 500;
/** A look takes less; a claim that is older was left by a crash. */
const CLAIM_MS = 120_000;
const HOST_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MOST_ATTEMPTS = 3;
/** A preview that comes later moves what people have long read. */
export const LATEST_MS = 30 * MINUTE_MS;

/**
 * Looks at the pages that messages link to, and fetches the pictures of their blocks. Each person has one look under way,
 * and people take turns; so one whose links lead to slow pages delays nobody else, and no page is asked by all places at once.
 */
export function startPreviewer(deps: {
  db: Database;
  clock: Clock;
  lookAt: LookAt;
  pictures: PictureService;
  unfurls: Pick<UnfurlService, 'showPage' | 'showPicture'>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, lookAt, pictures, unfurls, intervalMs, onError } = deps;
  const underWay = new Map<string, Promise<void>>();
  const hosts = new Map<string, number>();
  const paces = [
    { ms: MINUTE_MS, most: PER_MINUTE, begun: 0, looks: new Map<string, number>() },
    { ms: DAY_MS, most: PER_DAY, begun: 0, looks: new Map<string, number>() },
  ];
  /** Whose turn it was last. */
  let last = '';

  async function work(): Promise<void> {
    const begun = last;
    let wrapped = begun === '';
    for (let after = begun; underWay.size < AT_ONCE; ) {
      const next = await nextSource.first(db, { after, now: clock() });
      if (!next || (wrapped && begun !== '' && next.source > begun)) {
        if (wrapped) return;
        wrapped = true;
        after = '';
        continue;
      }
      after = next.source;
      if (underWay.has(after)) continue;
      last = after;
      await begin(after);
    }
  }

  async function begin(source: string): Promise<void> {
    const now = clock();
    const job = await db.write((tx) => claimJob.first(tx, { source, now, until: now + CLAIM_MS }));
    if (!job) return;
    const host = URL.parse(job.url)?.host ?? '';
    const wait = waitFor(source, host, now);
    if (wait > 0) return putOff(job, now + wait);
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
    for (const { looks } of paces) looks.set(source, (looks.get(source) ?? 0) + 1);
    const done = carryOut(job)
      .finally(() => {
        underWay.delete(source);
        const left = Number(hosts.get(host)) - 1;
        if (left === 0) hosts.delete(host);
        else hosts.set(host, left);
      })
      .then(rounds.wake, onError);
    underWay.set(source, done);
  }

  /** How long a look has to wait for others at the host, or of the person. */
  function waitFor(source: string, host: string, now: number): number {
    for (const pace of paces) {
      if (isDue(now, pace.begun + pace.ms, pace.ms)) {
        pace.begun = now;
        pace.looks.clear();
      }
      if ((pace.looks.get(source) ?? 0) >= pace.most) return pace.begun + pace.ms - now;
    }
    return (hosts.get(host) ?? 0) < OF_HOST ? 0 : HOST_MS;
  }

  const putOff = async ({ id, due_at: held }: PreviewJobRow, dueAt: number): Promise<void> => {
    await db.write((tx) => postponeJob.run(tx, { id, held, dueAt }));
  };

  async function carryOut(job: PreviewJobRow): Promise<void> {
    const isLate = job.num_attempts > MOST_ATTEMPTS || clock() - job.created_at > LATEST_MS;
    if (isLate || !(await isWanted(job))) return void (await db.write((tx) => deleteJob.run(tx, job)));
    const isDone = job.kind === 'page' ? await carryOutPage(job) : await carryOutPicture(job);
    if (isDone === 'broken off') return putOff(job, clock());
    if (isDone === 'nothing') await db.write((tx) => markSeen.run(tx, { id: job.id, held: job.due_at }));
  }

  async function carryOutPage(job: PreviewJobRow): Promise<NoAnswer | undefined> {
    const look = await lookAt.page(job.url, job.source);
    if (typeof look === 'string') return look;
    await show(job, look);
    return undefined;
  }

  async function carryOutPicture(job: PreviewJobRow): Promise<NoAnswer | undefined> {
    const picture = await lookAt.picture(job.url, job.source);
    if (typeof picture === 'string') return picture;
    await showPicture(job, picture);
    return undefined;
  }

  /** As things are now, and not when it was posted. */
  async function isWanted({ message_id: messageId, url, kind, by_program }: PreviewJobRow): Promise<boolean> {
    const linked = await findLinked.first(db, { messageId });
    if (kind === 'picture') {
      if (!linked || !mayLookForBlocks(linked) || !picturesOf(linked).includes(url)) return false;
      const known = await listBlockPictures.all(db, { ids: [messageId] });
      return known.every((one) => one.source_url !== url);
    }
    if (!linked || !mayLook(linked, by_program === 1) || !linksOf(linked).includes(url)) return false;
    return (await listOfLink.all(db, { messageId, url })).length === 0;
  }

  async function show({ id, message_id: messageId, url }: PreviewJobRow, { card, picture }: Look) {
    const pictureId = picture ? await pictures.keep(messageId, picture) : null;
    await db.write(async (tx) => {
      await deleteJob.run(tx, { id });
      const isShown = await unfurls.showPage(tx, { messageId, url, card, pictureId });
      if (pictureId === null) return;
      if (isShown) await pictures.show(tx, pictureId);
      else await pictures.release(tx, [pictureId]);
    });
  }

  async function showPicture({ id, message_id: messageId, url }: PreviewJobRow, picture: ShownPicture) {
    const pictureId = await pictures.keep(messageId, picture, url);
    await db.write(async (tx) => {
      await deleteJob.run(tx, { id });
      const show = () => pictures.show(tx, pictureId);
      if (!(await unfurls.showPicture(tx, { messageId, url, show }))) await pictures.release(tx, [pictureId]);
    });
  }

  const rounds = startRounds({ work, intervalMs, onError });
  return {
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop();
      await Promise.all(underWay.values());
    },
  };
}
