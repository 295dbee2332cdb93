import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type ParleyApplication, SignatureError } from '#sdk';
import { type Answer, readBody } from './http.ts';
import type { Storage } from './storage.ts';

/** The install call lists every member of the team, so it may be large. */
const MAX_CALLBACK_BYTES = 50_000_000;

type Act = (headers: IncomingHttpHeaders, rawBody: string) => void;

/** The calls that the platform makes to us. Anybody may send something here, so each is verified first. */
export function callbackRoutes(parley: ParleyApplication, storage: Storage) {
  return {
    /** A team is about to install the tracker. Anything but 200 keeps it from doing so. */
    install: (request: IncomingMessage) =>
      receive(request, (headers, rawBody) => {
        const { team } = parley.verifyInstall(headers, rawBody);
        storage.saveTeam(team.id, team.name);
      }),

    /** May arrive more than once; deleting again is harmless. */
    uninstall: (request: IncomingMessage) =>
      receive(request, (headers, rawBody) => {
        const { team } = parley.verifyUninstall(headers, rawBody);
        storage.forgetTeam(team.id);
      }),

    /** Members or roles changed. A former member is signed out here, too. */
    teamUpdate: (request: IncomingMessage) =>
      receive(request, (headers, rawBody) => {
        const { team, user, membership_type } = parley.verifyTeamUpdate(headers, rawBody);
        if (user && membership_type === null) storage.forgetMember(user.id, team.id);
      }),
  };
}

async function receive(request: IncomingMessage, act: Act): Promise<Answer> {
  const rawBody = await readBody(request, MAX_CALLBACK_BYTES);
  try {
    act(request.headers, rawBody);
    return { status: 200, text: 'ok' };
  } catch (error) {
    if (error instanceof SignatureError) return { status: 401, text: error.message };
    throw error;
  }
}
