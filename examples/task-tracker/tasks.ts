import { type ParleyApplication, ParleyError, ParleyUser } from '#sdk';
import { taskCards } from './cards.ts';
import { csvOf } from './csv.ts';
import type { Session, Storage, Task } from './storage.ts';

const UNKNOWN_OBJECT = 4040;

/** Operations on tasks, and what each posts to the platform. */
export function taskService(parley: ParleyApplication, storage: Storage) {
  const cards = taskCards(parley, storage);

  /** Acts on the platform as the signed-in user; refreshed tokens are stored. */
  function asUser({ user, team }: Pick<Session, 'user' | 'team'>): ParleyUser {
    return new ParleyUser(parley, {
      load: () => storage.tokens(user, team),
      save: (tokens) => storage.saveTokens(user, team, tokens),
    });
  }

  /** Makes the task an object of the platform, so that messages can link to it. @returns the object's id */
  async function register({ id, team, title }: Task): Promise<string> {
    const object = await parley.createObject({ name: title, team, type: 'task', url: `/tasks/${id}` });
    storage.saveObjectId(id, object.id);
    return object.id;
  }

  return {
    /**
     * A task that cannot be registered is not kept: adding it again must not make a second one.
     * @param event the id of the event that asks for it @returns undefined when that event made a task before
     */
    async add(team: string, title: string, event?: string): Promise<Task | undefined> {
      const task = event === undefined ? storage.addTask(team, title) : storage.addTaskOf(event, team, title);
      if (!task) return undefined;
      try {
        return { ...task, object_id: await register(task) };
      } catch (error) {
        storage.undoTask(task.id);
        throw error;
      }
    },

    /** Posts to the team when the task is first finished: a second click, or member, posts nothing. */
    async finish(session: Session, task: Task): Promise<void> {
      if (!storage.markDone(task.id)) return;
      try {
        await announce(session, task);
      } catch (error) {
        storage.reopen(task.id);
        throw error;
      }
      await cards.update({ ...task, done: 1 });
    },

    /** Posts all tasks of the team as a file. @param key names this request: repeated, it posts nothing */
    async share({ user, team }: Session, key: string): Promise<void> {
      const member = asUser({ user, team });
      const file = { name: 'tasks.csv', content: csvOf(storage.tasks(team), await registered(team)) };
      const { id } = await member.upload(file, `${key}-file`);
      const message = { text: 'All our tasks', addressed_teams: [team], attachments: { files: [id] } };
      await member.postMessage(message, `${key}-message`);
    },

    /** Brings the card of a task up to date that was changed elsewhere. */
    update: cards.update,

    async remove(task: Task): Promise<void> {
      if (task.object_id !== null) await forget(task.object_id);
      storage.deleteTask(task.id);
    },
  };

  /** The ids of the objects that the platform has of the team's tasks; it lists them page by page. */
  async function registered(team: string): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const { id } of parley.objects({ team, type: 'task' })) ids.add(id);
    return ids;
  }

  /** Posts a message with a link to the task. The key keeps a repeated request from posting a second one. */
  async function announce(session: Session, task: Task): Promise<void> {
    // Without an id, we were stopped while registering it.
    const id = task.object_id ?? (await register(task));
    await asUser(session).postMessage(
      {
        text: '{0} is done',
        addressed_teams: [task.team],
        mentions: [{ type: 'appobject', id, name: task.title }],
      },
      `task-${id}-done`,
    );
  }

  /** Deleting an object that no longer exists counts as success. */
  async function forget(objectId: string): Promise<void> {
    try {
      await parley.deleteObject(objectId);
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== UNKNOWN_OBJECT) throw error;
    }
  }
}
