/** The title of the browser's tab, and the icon of the installed application: the view's name, and how much is new. */
interface News {
  /** Conversations with something new for the reader. */
  readonly total: number;
  /** Teams with other unread messages: a dot says that there are any. */
  readonly teams: number;
}

let name = '';
let news: News = { total: 0, teams: 0 };

function show(): void {
  const title = name === '' ? 'Parley' : `${name} · Parley`;
  if (news.total > 0) document.title = `(${news.total}) ${title}`;
  else document.title = news.teams > 0 ? `• ${title}` : title;
}

export function setTitleName(next: string): void {
  name = next;
  show();
}

/** @param next undefined while it is not known */
export function setTitleUnread(next: News | undefined): void {
  news = next ?? { total: 0, teams: 0 };
  show();
  if (next) showOnIcon(next.total);
}

/** A number on the icon of the installed application; there is none where it cannot be installed. */
export function showOnIcon(count: number): void {
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
}
