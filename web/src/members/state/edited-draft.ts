import type { Message } from '../../api/types.ts';
import type { Attached, Draft } from './draft.ts';

/**
 * A change of a message that is not saved yet. Its files are kept as what was added and removed: the message may get and
 * lose others meanwhile.
 */
export interface KeptEdit extends Partial<Draft> {
  readonly text: string;
  /** The text that the change began with. */
  readonly before: string;
  /** The ids of the message's own files that it is to lose. */
  readonly removed?: readonly string[];
}

type Edited = Pick<Message, 'text' | 'attachments' | 'addressed_teams'>;

interface StoredFile extends Omit<Attached, 'type' | 'created_at'> {
  readonly type: 'file';
  readonly content_type: string;
}

const isFile = (item: unknown): item is StoredFile => (item as { type?: unknown } | null)?.type === 'file';

/** The uploads of a message. */
export const filesOf = ({ attachments }: Pick<Message, 'attachments'>): Attached[] =>
  attachments
    .filter(isFile)
    .map(({ content_type, ...file }) => ({ ...file, type: content_type, created_at: 0 }));

/** @returns the message as the edit leaves it */
export function draftOf(message: Edited, edit: KeptEdit | undefined): Draft {
  const { removed = [], files = [], waiting = [] } = edit ?? {};
  const { text } = edit && edit.text !== edit.before ? edit : message;
  const own = filesOf(message).filter(({ id }) => !removed.includes(id));
  return { text, files: [...own, ...files], waiting };
}

/** @returns what is kept of an edit; undefined where the message stays as it is */
export function keptOf(
  message: Edited,
  before: string,
  { text, files, waiting = [] }: Draft,
): KeptEdit | undefined {
  const own = filesOf(message).map(({ id }) => id);
  const left = files.map(({ id }) => id);
  const removed = own.filter((id) => !left.includes(id));
  const added = files.filter(({ id }) => !own.includes(id));
  if (text === message.text && removed.length + added.length + waiting.length === 0) return undefined;
  const [team] = message.addressed_teams;
  // A text that is not changed goes on following the message.
  const since = text === message.text ? text : before;
  return { text, before: since, removed, files: added, waiting, ...(team !== undefined && { team }) };
}
