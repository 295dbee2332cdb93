import { describe, expect, it } from 'vitest';
import { passageIn, referenceOf, referencesIn, repetitionIn } from './references.ts';

const ORIGIN = 'https://parley.example';
const ID = '0199a3c5-02d7-7e41-a6b3-8c5f1d90e274';
const HERE = `${ORIGIN}/messages/${ID}`;

describe('an address of a message', () => {
  it.each([
    [HERE, { message: ID }],
    [HERE.toUpperCase().replace('/MESSAGES/', '/messages/'), { message: ID }],
    [`${HERE}/`, { message: ID }],
    [`${HERE}?sidebar=x`, { message: ID }],
    [`${HERE}#quote=4-17`, { message: ID, passage: { from: 4, to: 17, edited: 0 } }],
    [`${HERE}#quote=4-17-99`, { message: ID, passage: { from: 4, to: 17, edited: 99 } }],
    [`${HERE}#quote=words`, { message: ID }],
  ])('%s', (address, reference) => {
    expect(referenceOf(address, ORIGIN)).toEqual(reference);
  });

  it.each([
    `https://other.example/messages/${ID}`,
    `https://parley.example.other.example/messages/${ID}`,
    `https://ada@parley.example/messages/${ID}`,
    `${ORIGIN}:8443/messages/${ID}`,
    `${ORIGIN}/v1/messages/${ID}`,
    `${ORIGIN}/messages/${ID}/replies`,
    `${ORIGIN}/messages/..%2f${ID}`,
    `javascript:/messages/${ID}`,
  ])('is not %s', (address) => {
    expect(referenceOf(address, ORIGIN)).toBeUndefined();
  });

  it('is found in a text, once, at most five times, and not in code', () => {
    const others = Array.from({ length: 6 }, (_, at) => `${HERE.slice(0, -1)}${at}`);
    expect(referencesIn(`see ${HERE}, [here](${HERE}) and \`${HERE}\``, ORIGIN)).toEqual([{ message: ID }]);
    expect(referencesIn(`\`${HERE}\``, ORIGIN)).toEqual([]);
    expect(referencesIn(others.join(' '), ORIGIN)).toHaveLength(5);
    expect(referencesIn(`What a reply says\n\n↩ ${HERE}`, ORIGIN)).toEqual([]);
  });
});

describe('a message that repeats a reply', () => {
  it.each([
    [`At noon.\n\n↩ ${HERE}`, { words: 'At noon.', reply: ID }],
    [`↩ ${HERE}`, { words: '', reply: ID }],
    [`At noon ↩ ${HERE}`, undefined],
    [`↩ ${HERE}\nAt noon`, undefined],
    [`At noon.\n↩ ${HERE} or later`, undefined],
    [`At noon.\n↩ https://other.example/messages/${ID}`, undefined],
  ])('%j', (text, parts) => {
    expect(repetitionIn({ text }, ORIGIN)).toEqual(parts);
    expect(repetitionIn({ text, format: 'plain' }, ORIGIN)).toBeUndefined();
  });
});

describe('a passage', () => {
  const edit = (at: number) => ({ type: 'edited' as const, user: ID, created_at: at / 1000 });

  it('is what stands at its place', () => {
    const message = { text: 'Tea at four', events: [] };
    expect(passageIn(message, { from: 7, to: 11, edited: 0 })).toBe('four');
    expect(passageIn(message, { from: 11, to: 40, edited: 0 })).toBeUndefined();
  });

  it('of an earlier text is shown as long as it stands in the message', () => {
    const versions = [
      { text: 'Tea at five', replaced_at: 3 },
      { text: 'Tea at four', replaced_at: 2 },
    ];
    const message = { text: 'Coffee at five', events: [edit(2000), edit(3000)] };
    expect(passageIn(message, { from: 4, to: 11, edited: 2000 }, versions)).toBe('at five');
    expect(passageIn(message, { from: 4, to: 11, edited: 0 }, versions)).toBeUndefined();
    expect(passageIn(message, { from: 0, to: 3, edited: 9000 }, versions)).toBeUndefined();
  });
});
