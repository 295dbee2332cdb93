import type { ReactNode } from 'react';
import { signal } from '../api/signal.ts';
import styles from './toast.module.css';

const SHOWN_MS = 4000;

const shown = signal<{ readonly number: number; readonly title: string } | undefined>(undefined);
let count = 0;

/** Confirms an action for a few seconds, also to screen readers. Errors belong where they happened, not here. */
export function tell(title: string): void {
  count += 1;
  const mine = count;
  shown.set({ number: mine, title });
  setTimeout(() => shown.get()?.number === mine && shown.set(undefined), SHOWN_MS);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const toast = shown.useValue();
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
