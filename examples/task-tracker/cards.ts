import { type ActionContext, type Block, blocks, type ParleyApplication, ParleyError } from '#sdk';
import type { Storage, Task } from './storage.ts';

const { actions, button, context, mrkdwn, person, plain, section, withId } = blocks;

/** A task in a message: its title, how it is, and buttons while it is open. */
function shownAs({ id, title, done }: Task, takenBy: string | undefined): Block[] {
  const value = String(id);
  const taken = takenBy === undefined ? mrkdwn('Nobody has taken it') : mrkdwn`Taken by ${person(takenBy)}`;
  const buttons = actions(
    button('Done', { action_id: 'task-done', value, style: 'primary' }),
    button('Take it', { action_id: 'task-take', value }),
  );
  return [
    section(plain(title)),
    context(mrkdwn`${done ? 'Done' : 'Open'}. ${taken}.`),
    // Named, so that a click on the card as it was before an update still finds its button.
    ...(done ? [] : [withId('task', buttons)]),
  ];
}

/** Tasks in messages of the tracker itself, which change with them. */
export function taskCards(parley: ParleyApplication, storage: Storage) {
  /** Brings the card of a task up to date, if it has one. Doing it again changes nothing. */
  async function show(task: Task): Promise<void> {
    const card = storage.card(task.id);
    if (!card) return;
    await parley
      .inTeam(task.team)
      .editMessage(card.message, { blocks: shownAs(task, card.taken_by ?? undefined) });
  }

  return {
    /** Answers the message that asked for a task. */
    async post(task: Task, message: string): Promise<void> {
      const mentions = [{ type: 'appobject' as const, id: task.object_id ?? '', name: task.title }];
      const reply = { text: '{0} is on the list', mentions, blocks: shownAs(task, undefined) };
      const { id } = await parley.inTeam(task.team).reply(message, reply, `task-${task.id}-added`);
      storage.saveCard(task.id, id);
    },

    /** After a change elsewhere. The task is changed, also where the message is gone or the tracker may not write. */
    async update(task: Task): Promise<void> {
      try {
        await show(task);
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
      }
    },

    /** Handles “Done”. A click that comes twice finds the task done. */
    async done({ team, value }: ActionContext): Promise<void> {
      const task = storage.task(team, Number(value));
      if (!task) return;
      storage.markDone(task.id);
      await show({ ...task, done: 1 });
    },

    /** Handles “Take it”: the last one who takes it has it. */
    async take({ team, value, user }: ActionContext): Promise<void> {
      const task = storage.task(team, Number(value));
      if (!task || task.done) return;
      storage.take(task.id, user);
      await show(task);
    },
  };
}
