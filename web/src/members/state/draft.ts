import type { Attachment } from '../../api/types.ts';

/** A file that the server has. */
export interface Attached extends Attachment {
  /** Names its bytes in this browser, which keeps them until the message is sent: the server may have dropped it. */
  readonly bytes?: string;
  /** Its place among the draft's files (see draft-files.ts). */
  readonly order?: number;
}

/** A file that the server does not have yet. */
export interface Waiting {
  /** Names its bytes in this browser. */
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly order?: number;
}

/** A message that is being written. */
export interface Draft {
  readonly text: string;
  readonly files: readonly Attached[];
  readonly waiting?: readonly Waiting[];
  /** The team whose conversation it belongs to. */
  readonly team?: string;
}
