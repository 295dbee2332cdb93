import { useSyncExternalStore } from 'react';

const EVENTS = ['focus', 'blur'] as const;

function watch(listener: () => void): () => void {
  for (const event of EVENTS) addEventListener(event, listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    for (const event of EVENTS) removeEventListener(event, listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Whether the window is visible and has the focus. */
export const useWatched = () =>
  useSyncExternalStore(watch, () => document.visibilityState === 'visible' && document.hasFocus());
