/** Signals within this time count as one: Ctrl-C reaches a process directly and through its parents. */
const SAME_SIGNAL_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first signal stops in order; a later one stops at once. The end of the program that began this one, where that has
 * kept a channel to it (`bootstrap.cjs`), stops in order too: one that was killed could hand on no signal.
 * @param stop may give the exit code
 * @param onFirst called when the first has come
 * @param signals which ones stop
 */
export function stopOnSignal(
  stop: () => Promise<unknown>,
  onFirst?: () => void,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): void {
  let first: number | undefined;
  const begin = () => {
    if (first !== undefined) return;
    first = Date.now();
    onFirst?.();
    stop().then(
      (code) => process.exit(typeof code === 'number' ? code : 0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  const onSignal = () => {
    if (first !== undefined && Date.now() - first > SAME_SIGNAL_MS) process.exit(1);
    begin();
  };
  for (const signal of signals) process.on(signal, onSignal);
  if (process.send === undefined) return;
  // Nothing waits for the channel.
  process.channel?.unref();
  process.on('disconnect', begin);
  if (!process.connected) begin();
}
