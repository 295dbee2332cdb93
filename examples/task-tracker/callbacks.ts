import type { IncomingMessage } from 'node:http';
import { type Callback, type ParleyApplication, SignatureError } from '#sdk';
import { type Answer, readBody } from './http.ts';
import type { Storage } from './storage.ts';

/** The calls that the platform makes to us. Anybody may send something here, so each is verified first. */
export function callbackRoutes(parley: ParleyApplication, storage: Storage) {
  /** Answering anything but 200 to the install call keeps the team from installing us. */
  async function receive(request: IncomingMessage, act: (callback: Callback) => void): Promise<Answer> {
    const rawBody = await readBody(request);
    try {
      act(parley.verifyCallback(request.headers, rawBody));
      return { status: 200, text: 'ok' };
    } catch (error) {
      if (error instanceof SignatureError || error instanceof SyntaxError) {
        return { status: 401, text: error.message };
      }
      throw error;
    }
  }

  return {
    install: (request: IncomingMessage) =>
      receive(request, ({ team }) => storage.saveTeam(team.id, team.name ?? 'a team')),
    /** May come more than once: forgetting what is forgotten changes nothing. */
    uninstall: (request: IncomingMessage) => receive(request, ({ team }) => storage.forgetTeam(team.id)),
    /** Members or roles changed. We keep no list of members, so there is nothing to do but to answer. */
    teamUpdate: (request: IncomingMessage) => receive(request, () => undefined),
  };
}
