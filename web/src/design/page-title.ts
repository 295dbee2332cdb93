/** The title of the browser's tab: the view's name and the number of unread messages. */
let name = '';
let unread = 0;

function show(): void {
  const title = name === '' ? 'Parley' : `${name} · Parley`;
  document.title = unread > 0 ? `(${unread}) ${title}` : title;
}

export function setTitleName(next: string): void {
  name = next;
  show();
}

export function setTitleUnread(next: number): void {
  unread = next;
  show();
}
