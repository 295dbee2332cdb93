import { useEffect } from 'react';

/** Somebody who comes back with the browser's button finds the question, not the end of it. */
export function useReturn(reset: () => void): void {
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
}
