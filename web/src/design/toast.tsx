import { type ReactNode, useSyncExternalStore } from 'react';
import styles from './toast.module.css';

const SHOWN_MS = 4000;

let shown: { readonly number: number; readonly title: string } | undefined;
let count = 0;
const watchers = new Set<() => void>();

/** Says for some seconds, and to a screen reader, what was done. Errors belong where they happened, not here. */
export function tell(title: string): void {
  count += 1;
  const mine = count;
  change({ number: mine, title });
  setTimeout(() => shown?.number === mine && change(undefined), SHOWN_MS);
}

function change(next: typeof shown): void {
  shown = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const toast = useSyncExternalStore(watch, () => shown);
  return (
    <>
      {children}
      <div className={styles.viewport} role="status">
        {toast && (
          <p key={toast.number} className={styles.toast}>
            {toast.title}
          </p>
        )}
      </div>
    </>
  );
}
