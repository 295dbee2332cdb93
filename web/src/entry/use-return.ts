import { useEffect } from 'react';

/** After the browser's back button, the page shows the question again, not its result. */
export function useReturn(reset: () => void): void {
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
}
