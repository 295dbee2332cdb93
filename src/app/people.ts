import type { FastifyInstance } from 'fastify';
import type { Caller } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { cleaning, startRounds } from '#platform/jobs/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import { unreadCounts } from '../conversation/messages/index.ts';
import { listOwners } from '../integration/applications/index.ts';
import {
  changeTokenKeys,
  deviceService,
  purgeSessions,
  sessionService,
  type TellSessionsEnded,
} from '../people/accounts/index.ts';
import {
  fillSearchKeys,
  imageRoutes,
  imageService,
  type KeyHolders,
  pictureReader,
  renewEmailKeys,
  SessionUser,
  type UserListener,
  UserProfile,
  UserSummary,
  userPresenter,
  userRoutes,
  userService,
} from '../people/users/index.ts';
import { changeInvitationKey, findMember, pageOfInvitationKeys, shareTeam } from '../teams/index.ts';
import { type AppParts, type Background, seconds } from './parts.ts';

const SEARCH_KEYS_MS = 60_000;

const keyHolders: KeyHolders = {
  ofUser: changeTokenKeys.run,
  others: { page: pageOfInvitationKeys.all, change: changeInvitationKey.run },
};

/** Users, their pictures and their sessions. */
export function joinPeople(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'spool' | 'baseUrl' | 'logger'>,
  deps: {
    pictures: Pictures;
    onChange: UserListener;
    onSessionsEnd: TellSessionsEnded;
    background: Pick<Background, 'rest' | 'onError'>;
  },
) {
  const { config, keys, db, clock, spool, baseUrl, logger } = parts;
  const developersAmong = async (reader: Reader, userIds: readonly string[]) =>
    new Set((await listOwners.all(reader, { userIds })).map(({ owner_id }) => owner_id));
  const areConnected = async (reader: Reader, { userId, onlyTeam }: Caller, otherId: string) =>
    (onlyTeam === undefined
      ? await shareTeam.first(reader, { userId, otherId })
      : await findMember.first(reader, { teamId: onlyTeam, userId: otherId })) !== undefined;

  const present = userPresenter({ clock, imageKey: keys.cookie, baseUrl });
  const users = userService({
    db,
    clock,
    present,
    facts: { unreadCounts, developersAmong, areConnected },
    profiles: config.PROFILE_VISIBILITY,
    onChange: deps.onChange,
  });
  const secure = () => baseUrl().startsWith('https:');
  const devices = deviceService({ secure });
  const sessions = sessionService({
    db,
    clock,
    lifetimeMs: seconds(config.SESSION_LIFETIME),
    longestMs: seconds(config.SESSION_MAX_LIFETIME),
    confirmationMs: seconds(config.CONFIRMATION_LIFETIME),
    secure,
    onEnd: deps.onSessionsEnd,
  });

  const readPicture = pictureReader({
    pictures: deps.pictures,
    spool,
    maxUploadBytes: config.MAX_UPLOAD_BYTES,
  });

  // Needed after an upgrade only; otherwise it finds nothing to do.
  const searchKeys = startRounds({
    work: () => fillSearchKeys(db),
    intervalMs: SEARCH_KEYS_MS,
    rest: deps.background.rest,
    onError: deps.background.onError,
  });

  return {
    present,
    users,
    sessions,
    devices,
    readPicture,
    isDeveloper: async (reader: Reader, userId: string) =>
      (await developersAmong(reader, [userId])).has(userId),
    schemas: [UserSummary, UserProfile, SessionUser],
    async routes(server: FastifyInstance) {
      userRoutes(server, users, { db });
      const images = imageService({ db, users });
      await server.register(imageRoutes, { images, readPicture });
    },
    housekeeping: [cleaning(db, purgeSessions, () => ({ now: clock() }))],
    /** Renews address keys that an earlier release spelled differently, so that those users can still be found. */
    async prepare(): Promise<void> {
      const kept = await renewEmailKeys(db, keyHolders);
      if (kept.length > 0)
        logger.warn({ accounts: kept }, 'another account has the same address, in another spelling');
    },
    start: searchKeys.wake,
    stop: searchKeys.stop,
  };
}
