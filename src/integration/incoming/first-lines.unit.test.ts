import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPayload } from './read-payload.ts';

const textOf = (...payload: Parameters<typeof readPayload>): string => readPayload(...payload).text;

/*
 * Products that the code does not name, by the payloads in their public documents: the first three lines say what happened
 * to what, in what state it is, who did it and where to look; all else follows.
 */

interface Example {
  readonly product: string;
  readonly first: readonly string[];
  readonly payload: unknown;
}

const examples = readFileSync(new URL('../../../test/fixtures/products.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Example);

/** Words alone: an event is shown as words, and a text without its formatting. */
const wordsOf = (text: string) =>
  ` ${text
    .replaceAll(/<\/?[a-z][^<>]*>/g, ' ')
    .replaceAll(/&\w+;/g, ' ')
    // A mailbox that a name leads to.
    .replaceAll(/\(mailto:[^()]*\)/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Every text and number of a payload, without the copies of a text that is sent in several formats, and secrets. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) =>
      ('markdown' in value && name !== 'markdown') ||
      (typeof inner === 'string' && /(?:token|signature|passcode)$/i.test(name))
        ? []
        : valuesOf(inner),
    );
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Moments are shown as dates, and signs alone are no words. */
const isElsewhere = (value: string) =>
  /^1\d{9}(?:\d{3})?(?:\.\d+)?$/.test(value) || wordsOf(value).trim() === '';
/** The call is wrapped, or is read by a reader of its own. */
const WRAPPED = /^(?:CloudWatch by SNS|Sentry|GitLab.*)$/;

describe('a product that the code does not name (claim: webhooks-of-products)', () => {
  it('is one of many', () => expect(examples.length).toBeGreaterThanOrEqual(100));

  it.each(examples)('$product says its point in the first three lines', ({ first, payload }) => {
    expect(textOf(payload, { event: undefined }).split('\n').slice(0, 3)).toEqual(first);
  });

  it.each(examples.filter(({ product }) => !WRAPPED.test(product)))(
    '$product loses nothing',
    ({ payload }) => {
      const text = textOf(payload, { event: undefined });
      const words = wordsOf(text);
      const lost = valuesOf(payload).filter(
        (value) => !isElsewhere(value) && !words.includes(wordsOf(value)),
      );
      expect([lost, text]).toEqual([[], text]);
      expect(text).not.toMatch(/\[object/);
    },
  );
});
