const WORKER = '/worker.js';

/**
 * Starts the worker that shows notifications and keeps what was read for times without a network. It must be reached by
 * HTTPS, or on the machine itself; elsewhere all but these works.
 * @param open shows an address of the application in this window
 */
export async function startWorker(open: (address: string) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ kind?: string; url?: string }>) => {
      if (data.kind === 'open' && data.url !== undefined) open(data.url);
    },
  );
  const worker = await workerHere();
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname);
  worker?.active?.postMessage({ kind: 'loaded', files });
}

/** The running worker; undefined where the browser keeps none. */
export async function workerHere(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return undefined;
  try {
    if (await navigator.serviceWorker.register(WORKER)) return await navigator.serviceWorker.ready;
  } catch {
    // As some browsers do in private windows.
  }
  return undefined;
}

/** Lets the worker ask who reads: it removes what another person has read here. */
export async function tellWorkerOfSession(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  registration?.active?.postMessage({ kind: 'session' });
}
