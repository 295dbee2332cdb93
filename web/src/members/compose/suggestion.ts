import type { ReactNode } from 'react';

/** Something that the name which is being typed may mean. */
export interface Suggestion {
  readonly key: string;
  /** What is put in its place. */
  readonly text: string;
  readonly shown: ReactNode;
  onChosen?(): void;
}
