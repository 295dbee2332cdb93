import type { IncomingMessage } from 'node:http';
import type { ParleyApplication } from '#sdk';
import { callbackRoutes } from './callbacks.ts';
import { type Answer, isSameOrigin, notFound } from './http.ts';
import { messagePage } from './pages.ts';
import { beginSignIn, sessionToken, signIn } from './sign-in.ts';
import type { Storage } from './storage.ts';
import { taskRoutes } from './task-routes.ts';

/** Every address of the tracker. @param baseUrl where people and the platform reach it */
export function router(baseUrl: string, parley: ParleyApplication, storage: Storage) {
  const callbacks = callbackRoutes(parley, storage);
  const tasks = taskRoutes(parley, storage);

  return async function route(request: IncomingMessage): Promise<Answer> {
    const { pathname, search } = new URL(`http://tracker${request.url}`);
    const name = `${request.method} ${pathname}`;
    if (name === 'POST /parley/install') return callbacks.install(request);
    if (name === 'POST /parley/uninstall') return callbacks.uninstall(request);
    if (name === 'POST /parley/team') return callbacks.teamUpdate(request);
    if (name === 'GET /parley/redirect')
      return signIn(new URL(search, baseUrl), parley, storage, baseUrl, request.headers.cookie);
    if (name === 'GET /sign-in') return beginSignIn(parley, baseUrl);

    const session = storage.session(sessionToken(request.headers.cookie));
    if (!session) return { status: 401, html: messagePage('Open the tracker from your team.') };
    if (name === `GET /teams/${session.team}`) return tasks.list(request, session);
    if (request.method !== 'GET' && !isSameOrigin(request, baseUrl)) return { status: 403, text: 'no' };
    if (name === 'POST /tasks') return tasks.add(request, session);
    if (name === 'POST /tasks/share') return tasks.share(request, session);

    const [, method, id, action = ''] = /^(\w+) \/tasks\/(\d+)(?:\/(\w+))?$/.exec(name) ?? [];
    const task = storage.task(session.team, Number(id));
    if (!task) return notFound();
    if (method === 'GET' && action === '') return tasks.show(request, task);
    if (method === 'POST' && action === 'done') return tasks.finish(request, session, task);
    if (method === 'POST' && action === 'delete') return tasks.remove(request, task);
    return notFound();
  };
}
