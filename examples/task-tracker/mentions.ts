import { type EventOf, type ParleyApplication, ParleyError } from '#sdk';
import { taskCards } from './cards.ts';
import type { Storage } from './storage.ts';
import { taskService } from './tasks.ts';

/** `@tasktracker Oil the engine` in a message adds a task. */
export function mentionHandler(parley: ParleyApplication, storage: Storage) {
  const tasks = taskService(parley, storage);
  const cards = taskCards(parley, storage);

  return async function onMention({ id, data: { team, message } }: EventOf<'mention'>): Promise<void> {
    const title = titleIn(message.text ?? '');
    if (!title || storage.teamName(team) === undefined) return;
    // The event may come again: it makes one task.
    const task = await tasks.add(team, title, id);
    if (!task) return;
    try {
      await cards.post(task, message.id);
    } catch (error) {
      // The team has not let the tracker write. The task is there.
      if (!(error instanceof ParleyError)) throw error;
    }
  };
}

/** The text after the tracker's name; messages that mention a task by its link have no name. */
const titleIn = (text: string): string =>
  /(?:^|\s)@tasktracker(?=\W|$)[\s:,]*(.*)/i.exec(text)?.[1]?.trim().slice(0, 200) ?? '';
