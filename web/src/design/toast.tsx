import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { signal } from '../api/signal.ts';
import styles from './toast.module.css';

const SHOWN_MS = 5000;
/** Long enough to reach its button. */
const WITH_ACTION_MS = 8000;

interface Action {
  readonly label: string;
  readonly run: () => void;
  /** Until the action is carried out, the reader closes it, or another toast comes. */
  readonly stays?: boolean;
}

const shown = signal<
  { readonly number: number; readonly title: string; readonly action?: Action } | undefined
>(undefined);
let count = 0;

/** Confirms an action for a few seconds, also to screen readers. Errors belong where they happened, not here. */
export function tell(title: string, action?: Action): void {
  count += 1;
  const mine = count;
  shown.set({ number: mine, title, ...(action && { action }) });
  if (action?.stays) return;
  const end = () => shown.get()?.number === mine && shown.set(undefined);
  setTimeout(end, action ? WITH_ACTION_MS : SHOWN_MS);
}

/** Takes a toast away whose action was carried out otherwise. */
export const endToast = () => shown.set(undefined);

export function ToastProvider({ children }: { children: ReactNode }) {
  const t = useTranslations('common');
  const toast = shown.useValue();
  return (
    <>
      {children}
      <div className={styles.viewport} role="status">
        {toast && (
          <p key={toast.number} className={styles.toast}>
            <span className={styles.title}>{toast.title}</span>
            {toast.action && (
              <button type="button" className={styles.action} onClick={toast.action.run}>
                {toast.action.label}
              </button>
            )}
            {toast.action?.stays && (
              <button type="button" className={styles.action} aria-label={t('close')} onClick={endToast}>
                <X size={16} aria-hidden />
              </button>
            )}
          </p>
        )}
      </div>
    </>
  );
}
