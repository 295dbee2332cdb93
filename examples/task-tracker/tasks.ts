import { type ParleyApplication, ParleyUser } from '#sdk';
import type { Session, Storage, Task } from './storage.ts';

/** What can be done with tasks, and what the platform learns of it. */
export function taskService(parley: ParleyApplication, storage: Storage) {
  /** Acts on the platform as the one who is signed in; expired tokens are refreshed and kept. */
  function asUser({ user, team }: Session): ParleyUser {
    return new ParleyUser(parley, {
      load: () => storage.tokens(user, team),
      save: (tokens) => storage.saveTokens(user, team, tokens),
    });
  }

  return {
    /** Registers the task as an object, so that messages can link to it. */
    async add({ team }: Session, title: string): Promise<Task | undefined> {
      const id = storage.addTask(team, title);
      const object = await parley.createObject({ name: title, team, type: 'task', url: `/tasks/${id}` });
      storage.saveObjectId(id, object.id);
      return storage.task(team, id);
    },

    /** Tells the team, with a link to the task. The key keeps a second click from posting a second message. */
    async finish(session: Session, task: Task): Promise<void> {
      if (task.done) return;
      await asUser(session).postMessage(
        {
          text: '{0} is done',
          addressed_teams: [task.team],
          mentions: [{ type: 'appobject', id: task.object_id, name: task.title }],
        },
        `task-${task.object_id}-done`,
      );
      storage.markDone(task.id);
    },

    async remove(task: Task): Promise<void> {
      await parley.deleteObject(task.object_id);
      storage.deleteTask(task.id);
    },
  };
}
