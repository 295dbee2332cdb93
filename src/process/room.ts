import { Refusal } from './refusal.ts';

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const SQLITE_FULL = 13;
/** By it SQLite tells of a quota or a limit, and of a disk that fails. */
const SQLITE_IOERR = 10;

const sqliteCodeOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

const isFull = (error: unknown) =>
  NO_ROOM.includes((error as NodeJS.ErrnoException).code ?? '') || sqliteCodeOf(error) === SQLITE_FULL;

/** Whether a disk has no room, or a quota or a limit on the size of files leaves none. */
export const isOfRoom = (error: unknown) => isFull(error) || sqliteCodeOf(error) === SQLITE_IOERR;

/** @throws Refusal naming the folder when it has no room for what is written there */
export async function inRoomOf<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isOfRoom(error)) throw error;
    const { message } = error as Error;
    throw new Refusal(
      isFull(error)
        ? `There is no room in ${folder}: ${message}. Make room there, and run this again.`
        : `It broke off: ${message}. See that ${folder} has room and its disk is sound, and run this again.`,
    );
  }
}
