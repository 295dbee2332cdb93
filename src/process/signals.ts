/** Signals within this time count as one: Ctrl-C reaches a process directly and through its parents. */
const SAME_SIGNAL_MS = 500;

/** The first signal stops in order; a later one stops at once. @param onFirst called when the first has come */
export function stopOnSignal(stop: () => Promise<void>, onFirst?: () => void): void {
  let first: number | undefined;
  const onSignal = () => {
    if (first !== undefined) {
      if (Date.now() - first > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    first = Date.now();
    onFirst?.();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
