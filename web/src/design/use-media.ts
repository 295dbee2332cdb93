import { useSyncExternalStore } from 'react';

/** Whether a media query matches, now and when the window changes. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (told) => {
      const media = matchMedia(query);
      media.addEventListener('change', told);
      return () => media.removeEventListener('change', told);
    },
    () => matchMedia(query).matches,
  );
