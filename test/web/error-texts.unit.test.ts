import { describe, expect, it } from 'vitest';
import { errorClasses } from '../../src/api/errors.ts';
import { reasons } from '../../src/api/reasons.ts';
import { expectation, SENTENCES } from '../../src/api/route/expectation.ts';
import { NAME_FAULTS } from '../../src/integration/applications/commands.ts';
import ar from '../../web/src/text/ar/errors.ts';
import de from '../../web/src/text/de/errors.ts';
import en from '../../web/src/text/en/errors.ts';
import { NAME_FAULTS as KNOWN_FAULTS } from '../../web/src/text/name-faults.ts';
import { ruleOf } from '../../web/src/text/rules.ts';

type Texts = { readonly [key: string]: Texts | string | undefined };

/** Told by the seconds to wait, whatever limit was reached. */
const BY_CODE_ALONE = ['4290'];
const expected = [
  ...errorClasses.map(({ code }) => ['codes', String(code)]),
  ...Object.entries(reasons)
    .filter(([code]) => !BY_CODE_ALONE.includes(code))
    .flatMap(([code, ofCode]) => Object.keys(ofCode).map((reason) => ['reasons', code, reason])),
];

const textAt = (texts: Texts, path: readonly string[]): unknown =>
  path.reduce<Texts | string | undefined>((found, key) => (found as Texts | undefined)?.[key], texts);

/** The rules whose sentence belongs to the field alone: its schema says it. */
const OF_FIELD = ['pattern', 'format'];
const LIMITED = { limit: 7, type: 'integer', allowedValues: ['user', 'team'] };

it('each sentence of the server about a value is known as the rule that it states', () => {
  const rules = Object.keys(SENTENCES).filter((keyword) => !OF_FIELD.includes(keyword));
  const told = (keyword: string) => {
    const sentence = expectation({ instancePath: '', keyword, params: LIMITED });
    return ruleOf(sentence)?.rule;
  };
  expect(rules.map(told)).toEqual(rules.map((keyword) => (keyword === 'type' ? 'integer' : keyword)));
  expect(ruleOf('must be at most 7 characters')?.values).toEqual({ limit: 7 });
  expect(ruleOf('must be one of user, team')?.values).toEqual({ allowed: 'user, team' });
  expect(ruleOf('must be 1 (admin) or 2 (member)')).toBeUndefined();
});

it('each fault of a command or shortcut is known by its sentence', () => {
  expect(KNOWN_FAULTS).toEqual(NAME_FAULTS);
});

describe('each refusal of the server has a text', () => {
  it.each([
    ['English', en],
    ['German', de],
    ['Arabic', ar],
  ])('in %s, that says more than what is wrong', (_, texts) => {
    const wrong = expected.filter((path) => {
      const text = textAt(texts, path);
      // The fault, and the step to take.
      return typeof text !== 'string' || text.split(/[.:?](?: |$)/).filter(Boolean).length < 2;
    });
    expect(wrong.map((path) => path.join('.'))).toEqual([]);
  });

  it('and no text is for a refusal that does not exist', () => {
    const known = new Set(expected.map((path) => path.join('.')));
    const paths = [
      ...Object.keys(en.codes).map((code) => `codes.${code}`),
      ...Object.entries(en.reasons).flatMap(([code, ofCode]) =>
        Object.keys(ofCode).map((reason) => `reasons.${code}.${reason}`),
      ),
    ];
    expect(paths.filter((path) => !known.has(path))).toEqual([]);
  });

  it.each([
    ['German', de],
    ['Arabic', ar],
  ])('which is not the English one in %s', (_, texts) => {
    const same = expected.filter((path) => textAt(texts, path) === textAt(en, path));
    expect(same).toEqual([]);
  });
});
