const RELOADED = 'parley.reloaded';
const RELOAD_PAUSE_MS = 10_000;

/**
 * A missing file belongs to an older build of the server: the page is reloaded, but not in a loop. A file that a server
 * out of reach cannot send is not missing: a reload would replace the page by the browser's own error.
 */
export async function reloadForMissingCode(): Promise<void> {
  if (!(await isServed())) return;
  try {
    const last = Number(sessionStorage.getItem(RELOADED));
    if (Date.now() - last < RELOAD_PAUSE_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  } catch {
    // Without storage a loop could not be told: the view says that it has failed, and offers to reload.
  }
}

/** Whether the server sends the page. */
export const isServed = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
