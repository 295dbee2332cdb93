import { randomUUID } from 'node:crypto';
import type { Session, Task } from './storage.ts';

/** Everything that people typed goes through here before it becomes part of a page. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
  h1 { font-size: 1.4rem; }
  ul { list-style: none; padding: 0; }
  li { display: flex; gap: .5rem; align-items: center; padding: .5rem 0; border-bottom: 1px solid #e5e5e5; }
  li a { flex: 1; color: inherit; }
  .done { text-decoration: line-through; color: #777; }
  form { display: inline-flex; gap: .5rem; }
  input { flex: 1; padding: .4rem .6rem; border: 1px solid #bbb; border-radius: .3rem; font: inherit; }
  button { padding: .4rem .8rem; border: 0; border-radius: .3rem; background: #1f6feb; color: #fff; font: inherit; }`;

/** A page that says one thing. */
export function messagePage(text: string): string {
  return page('Task tracker', `<h1>${escapeHtml(text)}</h1>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** The tasks of a team, and forms for another one and for all of them as a file. A form that is sent again has the same key. */
export function taskList(session: Session, team: string, tasks: readonly Task[]): string {
  const items = tasks.map(taskItem).join('');
  return page(
    `Tasks of ${team}`,
    `<h1>Tasks of ${escapeHtml(team)}</h1><p>Signed in as ${escapeHtml(session.name)}</p>
     <form method="post" action="/tasks"><input name="title" required maxlength="200" placeholder="What is to do?"
       aria-label="New task"><button>Add</button></form>
     <form method="post" action="/tasks/share"><input type="hidden" name="key" value="${randomUUID()}">
       <button>Post as a file</button></form>
     <ul>${items || '<li>Nothing to do.</li>'}</ul>`,
  );
}

/** One task: the target of the link in a message. */
export function taskPage(task: Task): string {
  return page(
    task.title,
    `<h1>Task</h1><ul>${taskItem(task)}</ul><p><a href="/teams/${escapeHtml(task.team)}">All tasks</a></p>`,
  );
}

function taskItem({ id, title, done }: Task): string {
  const link = `<a class="${done ? 'done' : ''}" href="/tasks/${id}">${escapeHtml(title)}</a>`;
  const button = (action: string, label: string) =>
    `<form method="post" action="/tasks/${id}/${action}"><button>${label}</button></form>`;
  return `<li>${link}${done ? '' : button('done', 'Done')}${button('delete', 'Delete')}</li>`;
}
