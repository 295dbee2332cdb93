import { expect, it } from 'vitest';
import { allPatterns, type Text, worstTexts } from '../support/patterns.ts';

/*
 * The time of a pattern grows with its text, and not with the square of it: texts come from people. Each pattern is tried on
 * long rows of its own signs, alone and between others. The processor's time for four times the text is compared with that
 * for the text, so that a slow machine changes nothing.
 */

const CHARACTERS = 4000;
/** A factor of 4 is linear, one of 16 a square. */
const MOST_GROWTH = 6;
const TRIES = 5;
/**
 * A text of so many characters that takes less is not looked at further: a square takes many times as long, and a linear
 * pattern a small part of it. In milliseconds.
 */
const FEW = 1000;
const NOTHING = 0.2;

function took(pattern: RegExp, text: string): number {
  const { user, system } = process.cpuUsage();
  text.replace(pattern, '');
  const after = process.cpuUsage();
  return after.user + after.system - user - system;
}

const best = (pattern: RegExp, text: string) =>
  Math.min(...Array.from({ length: TRIES }, () => took(pattern, text)));

function isQuick(pattern: RegExp, text: string): boolean {
  const begun = performance.now();
  text.replace(pattern, '');
  return performance.now() - begun < NOTHING;
}

function isSquare(pattern: RegExp, text: Text, characters: number): boolean {
  const few = text(FEW);
  if (Array.from({ length: TRIES }).some(() => isQuick(pattern, few))) return false;
  const most = MOST_GROWTH * Math.max(best(pattern, text(characters)), 1);
  const long = text(4 * characters);
  return !Array.from({ length: TRIES }).some(() => took(pattern, long) <= most);
}

/** @returns the beginning of a text for which a pattern takes too long */
function slowText(pattern: RegExp, characters = CHARACTERS): string | undefined {
  for (const text of worstTexts(pattern)) if (isSquare(pattern, text, characters)) return text(20);
  return undefined;
}

it('the check sees a pattern whose time grows with the square', () => {
  expect(slowText(/^\n+|\n+$/g, FEW)).toBeDefined();
  expect(slowText(/^"?([^"<>]*?)"?\s*<>$/, FEW)).toBeDefined();
  expect(slowText(/^\n+/g, FEW)).toBeUndefined();
});

it('no pattern of the sources takes the square of its text', async () => {
  const patterns = await allPatterns();
  expect(patterns.length).toBeGreaterThan(200);
  const slow = patterns.flatMap(({ where, pattern }) => {
    const text = slowText(new RegExp(pattern.source, pattern.flags.replace('y', '')));
    return text === undefined ? [] : [`${where} ${pattern} on ${JSON.stringify(text)}…`];
  });
  expect(slow).toEqual([]);
});
