import { expect, it } from 'vitest';
import { ApiError } from '../../api/client.ts';
import type { Block, BlockOf } from '../../api/types.ts';
import { blockIdsIn, isOfFields, refusedIn, ruleOfForm } from './faults.ts';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const input = (block_id: string, action_id: string): BlockOf<'input'> => ({
  type: 'input',
  block_id,
  label: plain('Label'),
  element: { type: 'plain_text_input', action_id },
});
const OF_BOX = input('a.b', 'c.d');
const BLOCKS: Block[] = [
  { type: 'divider', block_id: 'line' },
  input('why', 'text'),
  { type: 'container', block_id: 'box', title: plain('Box'), child_blocks: [OF_BOX] },
];
const refusal = (...reasons: string[]) =>
  new ApiError(
    400,
    reasons.map((reason) => ({ code: 4002, reason, message: `wrong ${reason}` })),
  );

it('what the server says of a field stands at its block, also where ids have points in them', () => {
  const both = refusedIn(refusal('state.why.text', 'state.a.b.c.d'), BLOCKS);
  expect(both).toEqual({
    faults: { why: 'wrong state.why.text', 'a.b': 'wrong state.a.b.c.d' },
    others: false,
  });
  expect(refusedIn(refusal('state.gone.text'), BLOCKS)).toEqual({ faults: {}, others: true });
  expect(refusedIn(new Error('no connection'), BLOCKS)).toEqual({ faults: {}, others: false });
});

it('an error is about fields when one of them is named', () => {
  expect([refusal('state.why.text'), refusal('hash'), undefined].map(isOfFields)).toEqual([
    true,
    false,
    false,
  ]);
});

it('blocks that can show an error are known, also those in a container', () => {
  expect([...blockIdsIn(BLOCKS)]).toEqual(['why', 'a.b']);
});

it.each([
  ['must have 2 to 40 characters', 'length', { first: '2', second: '40' }],
  ['must not be below -1.5', 'least', { first: '-1.5', second: '' }],
  ['must not be above 9', 'most', { first: '9', second: '' }],
  ['must be an email address', 'email', { first: '', second: '' }],
  ['must be an http or https address', 'address', { first: '', second: '' }],
])('%s', (sentence, rule, values) => {
  expect(ruleOfForm(sentence)).toEqual({ rule, values });
});
