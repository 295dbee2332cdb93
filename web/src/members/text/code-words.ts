/** A part of a code: what it is, and its text. */
export type Word = readonly [kind: string, text: string];

export interface Job {
  readonly text: string;
  readonly language: string;
}
