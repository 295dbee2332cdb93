import { readFileSync } from 'node:fs';
import { readBody } from '../../src/integration/incoming/read-body.ts';

/** What a product sends, and how its message begins. */
export interface ProductExample {
  readonly product: string;
  readonly first: readonly string[];
  /** Where a header names the event. */
  readonly topic?: string;
  readonly payload?: unknown;
  /** In place of a payload: what is not JSON, with its type. */
  readonly type?: string;
  readonly body?: string;
}

export const productExamples = readFileSync(new URL('../fixtures/products.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as ProductExample);

export const payloadOf = async ({ payload, type = '', body }: ProductExample): Promise<unknown> =>
  body === undefined ? payload : (await readBody(type, Buffer.from(body))).payload;
