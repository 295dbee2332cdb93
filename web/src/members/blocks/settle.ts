import { useEffect, useRef } from 'react';

/**
 * @returns a function that runs the last thing that it was given, once nothing else came for a while; with `now`, at once.
 * Arrow keys and typing go through values that nobody has chosen
 */
export function useSettled(ms: number): (run: () => void, now?: boolean) => void {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void }>(undefined);
  const flush = () => {
    clearTimeout(waiting.current?.timer);
    const run = waiting.current?.run;
    waiting.current = undefined;
    run?.();
  };
  // A choice is not lost with the row that it was made in.
  const last = useRef(flush);
  last.current = flush;
  useEffect(() => () => last.current(), []);
  return (run, now = false) => {
    clearTimeout(waiting.current?.timer);
    waiting.current = { run, timer: setTimeout(flush, ms) };
    if (now) flush();
  };
}
