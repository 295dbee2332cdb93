import type { Static, TSchema } from 'typebox';
import { serializerCompiler } from './validation.ts';

/** Items of an answer that are JSON already, since they were written once to be sent many times. */
export class Written<T> {
  /** Their text, with the commas between them, in pieces that are joined when they are sent. */
  readonly pieces: readonly string[];
  declare readonly type: T;

  /** @param items each as one text or several that make it up */
  constructor(items: Iterable<readonly string[]>) {
    const pieces: string[] = [];
    for (const item of items) {
      if (pieces.length > 0) pieces.push(',');
      for (const piece of item) pieces.push(piece);
    }
    this.pieces = pieces;
  }
}

/** Writes a value as an answer with this schema would. @param shared the schemas that it refers to */
export function writer<T extends TSchema>(schema: T, shared: readonly TSchema[]) {
  return serializerCompiler(shared)({ schema }) as (value: Static<T>) => string;
}
