import type { FastifyInstance } from 'fastify';
import type { Caller } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import { unreadCounts } from '../conversation/messages/index.ts';
import { listOwners } from '../integration/applications/index.ts';
import {
  deviceService,
  purgeSessions,
  sessionService,
  type TellSessionsEnded,
} from '../people/accounts/index.ts';
import {
  imageRoutes,
  imageService,
  pictureReader,
  SessionUser,
  type UserListener,
  UserProfile,
  UserSummary,
  userPresenter,
  userRoutes,
  userService,
  type WhereaboutsListener,
} from '../people/users/index.ts';
import { findMember, shareTeam } from '../teams/index.ts';
import { type AppParts, seconds } from './parts.ts';

/** Users, their pictures and their sessions. */
export function joinPeople(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'spool' | 'baseUrl'>,
  deps: {
    pictures: Pictures;
    onChange: UserListener;
    onWhereabouts: WhereaboutsListener;
    onSessionsEnd: TellSessionsEnded;
    countWhereabouts: (userId: string) => void;
  },
) {
  const { config, keys, db, clock, spool, baseUrl } = parts;
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
    onWhereabouts: deps.onWhereabouts,
    countWhereabouts: deps.countWhereabouts,
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
  };
}
