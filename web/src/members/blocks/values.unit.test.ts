import { expect, it } from 'vitest';
import type { Block } from '../../api/types.ts';
import { areKnown, withIds } from './ids.ts';
import { momentText } from './moment.ts';
import { statesOf } from './values.ts';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const option = (value: string) => ({ text: plain(value), value });
const button = { type: 'button', text: plain('Go') } as const;

const BLOCKS: Block[] = [
  {
    type: 'actions',
    block_id: 'own',
    elements: [
      { type: 'radio_buttons', options: [option('a'), option('b')], initial_option: option('a') },
      { type: 'checkboxes', action_id: 'many', options: [option('c')] },
      button,
    ],
  },
  {
    type: 'container',
    title: plain('Inside'),
    child_blocks: [
      {
        type: 'input',
        label: plain('When?'),
        element: { type: 'datetimepicker', action_id: 'when', initial_date_time: 0 },
      },
      { type: 'carousel', elements: [{ type: 'card', title: plain('One'), actions: [button] }] },
    ],
  },
];

it('parts without an id are called by their place, and keep the ids that they have', () => {
  const [actions, container] = withIds(BLOCKS);
  expect(actions).toMatchObject({
    block_id: 'own',
    elements: [{ action_id: '0' }, { action_id: 'many' }, { action_id: '2' }],
  });
  expect(container).toMatchObject({
    block_id: '1',
    child_blocks: [
      { block_id: '1.0', element: { action_id: 'when' } },
      { block_id: '1.1', elements: [{ block_id: '1.1.0', actions: [{ action_id: '0' }] }] },
    ],
  });
});

it('the state of a message is what its elements hold, first by the application, then by what was chosen', () => {
  const blocks = withIds(BLOCKS);
  expect(statesOf(blocks, (_block, _action, initial) => initial)).toEqual({
    own: { 0: 'a' },
    '1.0': { when: '0' },
  });
  expect(
    statesOf(blocks, (block, action, initial) => (`${block} ${action}` === 'own many' ? ['c'] : initial)),
  ).toMatchObject({ own: { 0: 'a', many: ['c'] } });
});

it('blocks are known when each block and element in them is', () => {
  expect(areKnown(BLOCKS)).toBe(true);
  expect(areKnown([{ type: 'actions', elements: [{ type: 'hologram' }] }])).toBe(false);
  expect(areKnown([{ type: 'container', child_blocks: [{ type: 'hologram' }] }])).toBe(false);
  expect(areKnown([null])).toBe(false);
});

it('a date is written as its format says; what is not known in it stays', () => {
  const formatter = {
    dateTime: (_date: unknown, form: unknown) => JSON.stringify(form),
    relativeTime: () => 'long ago',
  } as unknown as Parameters<typeof momentText>[2];
  expect(momentText('{time}, {ago} {date_pretty} {era}', 0, formatter)).toBe(
    '{"timeStyle":"short"}, long ago {"dateStyle":"medium"} {era}',
  );
});
