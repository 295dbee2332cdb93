import type { IncomingMessage } from 'node:http';
import type { ParleyApplication } from '#sdk';
import { type Answer, readBody, wantsJson } from './http.ts';
import { taskList, taskPage } from './pages.ts';
import type { Session, Storage, Task } from './storage.ts';
import { taskService } from './tasks.ts';

const MAX_FORM_BYTES = 16_384;
const MAX_TITLE_LENGTH = 200;

/** The routes of signed-in members: pages and forms, or JSON on request. */
export function taskRoutes(parley: ParleyApplication, storage: Storage) {
  const tasks = taskService(parley, storage);

  /** After a change the browser goes back to the list, so that reloading does not repeat the change. */
  function changed(request: IncomingMessage, team: string, json: unknown): Answer {
    return wantsJson(request) ? { status: 200, json } : { status: 303, location: `/teams/${team}` };
  }

  return {
    list(request: IncomingMessage, session: Session): Answer {
      const all = storage.tasks(session.team);
      if (wantsJson(request)) return { status: 200, json: all };
      return { status: 200, html: taskList(session, storage.teamName(session.team) ?? '', all) };
    },

    show(request: IncomingMessage, task: Task): Answer {
      return wantsJson(request) ? { status: 200, json: task } : { status: 200, html: taskPage(task) };
    },

    async add(request: IncomingMessage, session: Session): Promise<Answer> {
      const form = new URLSearchParams(await readBody(request, MAX_FORM_BYTES));
      const title = form.get('title')?.trim().slice(0, MAX_TITLE_LENGTH);
      if (!title) return { status: 400, text: 'A task needs a title.' };
      const task = await tasks.add(session.team, title);
      return changed(request, session.team, task);
    },

    async finish(request: IncomingMessage, session: Session, task: Task): Promise<Answer> {
      await tasks.finish(session, task);
      return changed(request, task.team, storage.task(task.team, task.id));
    },

    async share(request: IncomingMessage, session: Session): Promise<Answer> {
      const form = new URLSearchParams(await readBody(request, MAX_FORM_BYTES));
      const key = form.get('key');
      if (!key) return { status: 400, text: 'The form has a key.' };
      await tasks.share(session, `share-${key}`);
      return changed(request, session.team, {});
    },

    async remove(request: IncomingMessage, task: Task): Promise<Answer> {
      await tasks.remove(task);
      return changed(request, task.team, {});
    },
  };
}
