import { describe, expect, it } from 'vitest';
import { payloadOf, productExamples } from '../../../test/support/products.ts';
import { fieldsOf } from './payload.ts';
import { readPayload } from './read-payload.ts';
import { unwrapped } from './unwrapped.ts';

const textOf = (...payload: Parameters<typeof readPayload>): string => readPayload(...payload).text;

/*
 * Products that the code does not name, by payloads as their public documents describe them: the first three lines say what happened
 * to what, in what state it is, who did it and where to look; all else follows.
 */

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
      (typeof inner === 'string' && /(?:token|signature|passcode|credential)$/i.test(name))
        ? []
        : valuesOf(inner),
    );
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Moments are shown as dates, and signs alone are no words. */
const isElsewhere = (value: string) =>
  HOOK.test(value) || /^1\d{9}(?:\d{3})?(?:\.\d+)?$/.test(value) || wordsOf(value).trim() === '';
/** Addresses at which anybody who knows them can post. */
const HOOK = /\/v1\/hooks\//;
/** The call is wrapped, or is read by a reader of its own. */
const WRAPPED = /^(?:CloudWatch by SNS|Sentry|GitLab.*)$/;

describe('a product that the code does not name (claim: webhooks-of-products)', () => {
  it('is one of many', () => expect(productExamples.length).toBeGreaterThanOrEqual(100));

  it.each(productExamples)('$product says its point in the first three lines', async (example) => {
    const text = textOf(await payloadOf(example), { event: undefined, topic: example.topic });
    expect(text.split('\n').slice(0, 3)).toEqual(example.first);
  });

  it.each(productExamples.filter(({ product }) => !WRAPPED.test(product)))(
    '$product loses nothing',
    async (example) => {
      const payload = await payloadOf(example);
      const text = textOf(payload, { event: undefined, topic: example.topic });
      const words = wordsOf(text);
      const lost = valuesOf(unwrapped(fieldsOf({ payload }))).filter(
        (value) => !isElsewhere(value) && !words.includes(wordsOf(value)),
      );
      expect([lost, text]).toEqual([[], text]);
      expect(text).not.toMatch(/\[object/);
    },
  );
});
