import type { Attachment } from '../../api/types.ts';
import type { Attached, Draft, Waiting } from './draft.ts';

interface Ordered {
  /** Grows with each file that is chosen for a draft. Earlier versions kept none: such files come first. */
  readonly order?: number;
}

const orderOf = ({ order = -1 }: Ordered) => order;

/** @returns the files in the order in which they were chosen */
export const inOrder = <File extends Ordered>(files: readonly File[]): File[] =>
  [...files].sort((one, other) => orderOf(one) - orderOf(other));

const nextOrder = ({ files, waiting = [] }: Draft) =>
  1 + Math.max(-1, ...[...files, ...waiting].map(orderOf));

/** Adds files that are yet to be uploaded. */
export function choose(draft: Draft, fresh: readonly Waiting[]): Draft {
  const first = nextOrder(draft);
  const waiting = fresh.map((file, at) => ({ ...file, order: first + at }));
  return { ...draft, waiting: [...(draft.waiting ?? []), ...waiting] };
}

/** Removes a file that is not uploaded yet. */
export const withoutWaiting = (draft: Draft, key: string): Draft => ({
  ...draft,
  waiting: (draft.waiting ?? []).filter((one) => one.key !== key),
});

/** Puts a file that the server has now to its place. The draft stays the same if it waits for no such file. */
export function uploaded(draft: Draft, key: string, attachment: Attachment): Draft {
  const chosen = draft.waiting?.find((one) => one.key === key);
  if (!chosen) return draft;
  const file: Attached = { ...attachment, bytes: key, order: orderOf(chosen) };
  return { ...withoutWaiting(draft, key), files: inOrder([...draft.files, file]) };
}

/** Adds the text and the files of a message that was not sent. */
export function putBack(draft: Draft, { text, files }: Pick<Draft, 'text' | 'files'>): Draft {
  const first = nextOrder(draft);
  const added = files.map((file, at) => ({ ...file, order: first + at }));
  return {
    ...draft,
    text: [draft.text, text].filter(Boolean).join('\n'),
    files: [...draft.files, ...added],
  };
}
