import type { IncomingMessage } from 'node:http';
import { type ParleyApplication, ParleyUser, type Tokens } from '#sdk';
import { callbackRoutes } from './callbacks.ts';
import { type Answer, isSameOrigin, readBody, readCookie } from './http.ts';
import { page, taskList, taskPage } from './pages.ts';
import type { Settings } from './settings.ts';
import type { Session, Storage } from './storage.ts';
import { taskService } from './tasks.ts';

const COOKIE = 'tracker_session';

/** Every address of the tracker. */
export function router(settings: Settings, parley: ParleyApplication, storage: Storage) {
  const callbacks = callbackRoutes(parley, storage);
  const tasks = taskService(parley, storage);

  /** The platform sends a member's browser here each time they open the tracker. */
  async function redirect(url: URL): Promise<Answer> {
    const code = url.searchParams.get('code');
    const team = url.searchParams.get('platform_team_id');
    if (!code || !team || storage.teamName(team) === undefined) return notFound();
    let tokens: Tokens = await parley.exchangeCode(code);
    const member = new ParleyUser(parley, {
      load: () => tokens,
      save: (fresh) => {
        tokens = fresh;
      },
    });
    const me = await member.me();
    // The team stands in an address that anybody can change: only the platform knows who is in it.
    const teams = await member.teams();
    if (!teams.some((membership) => membership.team.id === team)) return notFound();
    storage.saveTokens(me.id, team, tokens);
    const session = storage.beginSession({
      user: me.id,
      name: `${me.first_name} ${me.last_name}`.trim(),
      team,
    });
    const secure = settings.baseUrl.startsWith('https:') ? '; Secure' : '';
    const cookie = `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    return { status: 302, location: `/teams/${team}`, cookie };
  }

  async function taskRoutes(request: IncomingMessage, path: string, session: Session): Promise<Answer> {
    const asJson = request.headers.accept?.includes('application/json') ?? false;
    const show = (html: string, json: unknown): Answer =>
      asJson ? { status: 200, json } : { status: 200, html };
    const overview: Answer = { status: 303, location: `/teams/${session.team}` };
    if (request.method === 'GET' && path === `/teams/${session.team}`) {
      const all = storage.tasks(session.team);
      return show(taskList(session, storage.teamName(session.team) ?? '', all), all);
    }
    if (request.method === 'POST' && path === '/tasks') {
      const title = new URLSearchParams(await readBody(request)).get('title')?.trim().slice(0, 200);
      if (!title) return { status: 400, text: 'A task needs a title.' };
      await tasks.add(session, title);
      return overview;
    }
    const [, id, action] = /^\/tasks\/(\d+)(?:\/(done|delete))?$/.exec(path) ?? [];
    const task = storage.task(session.team, Number(id));
    if (!task) return notFound();
    if (request.method === 'GET' && !action) return show(taskPage(task), task);
    if (request.method !== 'POST' || !action) return notFound();
    if (action === 'done') await tasks.finish(session, task);
    else await tasks.remove(task);
    return overview;
  }

  return async function route(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', settings.baseUrl);
    const name = `${request.method} ${url.pathname}`;
    if (name === 'POST /parley/install') return callbacks.install(request);
    if (name === 'POST /parley/uninstall') return callbacks.uninstall(request);
    if (name === 'POST /parley/team') return callbacks.teamUpdate(request);
    if (name === 'GET /parley/redirect') return redirect(url);
    const session = storage.session(readCookie(request, COOKIE) ?? '');
    if (!session)
      return { status: 401, html: page('Task tracker', '<h1>Open the tracker from your team.</h1>') };
    if (request.method !== 'GET' && !isSameOrigin(request, settings.baseUrl))
      return { status: 403, text: 'no' };
    return taskRoutes(request, url.pathname, session);
  };
}

function notFound(): Answer {
  return { status: 404, html: page('Not found', '<h1>There is nothing here.</h1>') };
}
