/**
 * Makes something when it is first wanted, and keeps it. A failure is not kept: the next call makes it again.
 * @returns a function that gives it
 */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
