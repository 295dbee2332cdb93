import {
  type ActionContext,
  type Block,
  blocks,
  type CommandContext,
  type Form,
  type HomeContext,
  type ParleyApplication,
  type ViewContext,
} from '#sdk';
import type { Storage, Task } from './storage.ts';
import { taskService } from './tasks.ts';

const { actions, button, context, header, input, mrkdwn, plain, section, textInput, withId } = blocks;

/** Tasks that a page shows. */
const MOST_SHOWN = 40;

const FORM: Form = {
  title: 'New task',
  submit: 'Add',
  callback_id: 'new-task',
  blocks: [withId('title', input('What is to be done?', textInput({ action_id: 'text', max_length: 200 })))],
};

/** The open tasks of a team, each with a button. */
function pageOf(tasks: readonly Task[]): Block[] {
  const open = tasks.filter(({ done }) => !done);
  const doneButton = ({ id }: Task) => button('Done', { action_id: 'home-done', value: String(id) });
  return [
    header(open.length === 1 ? '1 open task' : `${open.length} open tasks`),
    withId('new', actions(button('New task', { action_id: 'home-new', style: 'primary' }))),
    ...open
      .slice(0, MOST_SHOWN)
      .map((task) => withId(`task-${task.id}`, section(plain(task.title), { accessory: doneButton(task) }))),
    ...(open.length > MOST_SHOWN
      ? [context(mrkdwn`${open.length - MOST_SHOWN} more on the page of tasks`)]
      : []),
  ];
}

/** The tracker's page inside Parley, and the form that adds a task. */
export function taskHome(parley: ParleyApplication, storage: Storage) {
  const tasks = taskService(parley, storage);

  const show = ({ user, team }: { user: string; team: string }) =>
    parley.publishHome({ user, team, blocks: pageOf(storage.tasks(team)) });

  return {
    opened: ({ user, team }: HomeContext) => show({ user, team }),

    /** `/task` and “New task” open the form. */
    ask: ({ respond }: CommandContext | ActionContext) => respond.form(FORM),

    /** A submission that comes twice makes one task. */
    async add({ user, team, state, event, respond }: ViewContext): Promise<void> {
      const title = String(state.title?.text ?? '').trim();
      if (title === '') return respond.errors({ title: 'Write a word or two' });
      await tasks.add(team, title, event.id);
      await show({ user, team });
    },

    async done({ user, team, value }: ActionContext): Promise<void> {
      const task = storage.task(team, Number(value));
      if (task && storage.markDone(task.id)) await tasks.update({ ...task, done: 1 });
      await show({ user, team });
    },
  };
}
