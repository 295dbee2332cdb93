import type { FastifyInstance } from 'fastify';
import type { ReadingService } from '../conversation/messages/index.ts';
import {
  Mute,
  muteRoutes,
  muteService,
  startMuteWorker,
  type TellMute,
} from '../conversation/mutes/index.ts';
import { type TeamService, unmuteTeam } from '../teams/index.ts';
import type { AppParts, Background } from './parts.ts';

/** Mutes for a time, and of direct conversations. */
export function joinMutes(
  parts: Pick<AppParts, 'db' | 'clock'>,
  deps: { teams: TeamService; reading: ReadingService; tell: TellMute; background: Background },
) {
  const { teams, reading, tell, background } = deps;
  const { intervalMs, onError } = background;
  const mutes = muteService({ ...parts, teams, reading, tell });
  const worker = startMuteWorker({
    ...parts,
    unmuteTeam: unmuteTeam.run,
    unmuteMessage: reading.unmute,
    tell,
    intervalMs,
    onError,
  });
  return {
    schemas: [Mute],
    routes: (server: FastifyInstance) => muteRoutes(server, mutes),
    start: worker.wake,
    stop: worker.stop,
  };
}
