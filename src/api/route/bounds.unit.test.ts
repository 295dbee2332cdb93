import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { beyondBounds, DEEPEST, MOST_ITEMS } from './bounds.ts';
import type { Part } from './part.ts';
import { ByHand } from './schemas.ts';
import { validatorCompiler } from './validation.ts';

const Body = Type.Object({
  list: Type.Optional(
    Type.Array(Type.Object({ 'in/ner': Type.Array(Type.String(), { maxItems: 2 }) }), { maxItems: 3 }),
  ),
  free: Type.Optional(ByHand('As it is')),
});
const problemsOf = (body: unknown) =>
  beyondBounds(Body as Part, body).map(({ instancePath, keyword, params }) => [
    instancePath,
    keyword,
    params.limit,
  ]);
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

it('names each list that is too long, and looks no further into it', () => {
  expect(problemsOf({ list: [{ 'in/ner': ['a', 'b'] }, { 'in/ner': ['a', 'b', 'c'] }] })).toEqual([
    ['/list/1/in~1ner', 'maxItems', 2],
  ]);
  expect(problemsOf({ list: Array(4).fill({ 'in/ner': ['a', 'b', 'c'] }) })).toEqual([
    ['/list', 'maxItems', 3],
  ]);
  for (const other of [
    undefined,
    null,
    'text',
    { list: 'text' },
    { list: {} },
    { list: [null, 1, []] },
    [[1]],
  ])
    expect(problemsOf(other)).toEqual([]);
});

it('bounds lists and objects that are read by hand at every depth, and the depth', () => {
  const long = Array(MOST_ITEMS + 1).fill(0);
  expect(problemsOf({ free: long.slice(1) })).toEqual([]);
  expect(problemsOf({ free: long })).toEqual([['/free', 'maxItems', MOST_ITEMS]]);
  expect(problemsOf({ free: { a: [{ b: long }] } })).toEqual([['/free/a/0/b', 'maxItems', MOST_ITEMS]]);
  expect(problemsOf({ free: Object.fromEntries(long.entries()) })).toEqual([
    ['/free', 'maxItems', MOST_ITEMS],
  ]);
  expect(problemsOf({ free: nested(DEEPEST) })).toEqual([]);
  expect(problemsOf({ free: nested(DEEPEST + 1) })).toEqual([['/free', 'depth', undefined]]);
  expect(problemsOf({ free: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) })).toHaveLength(1);
});

it('keeps Ajv from reading a list that is too long', () => {
  const check = validatorCompiler([])({ schema: Body, httpPart: 'body' });
  expect(check({ list: Array(100_000).fill(0) })).toBe(false);
  expect(check.errors).toHaveLength(1);
  expect(check({ list: [] })).toBe(true);
});
