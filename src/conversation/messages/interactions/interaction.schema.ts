import { Type } from 'typebox';
import { ByHand, Shared, Text, Uuid } from '#api';
import type { Failure } from './surface.ts';

/** Values of one element. */
const MOST_VALUES = 100;

/** Characters of a question. */
const LONGEST_QUESTION = 200;

/** How a click goes, as its person is told. */
export const ShownInteraction = Type.Object(
  {
    id: Uuid,
    status: Type.Unsafe<'pending' | 'done' | 'failed'>({
      type: 'string',
      enum: ['pending', 'done', 'failed'],
      description:
        '`pending` until the application has answered, or cannot; the live event `interaction` tells',
    }),
    reason: Type.Optional(
      Type.Unsafe<Failure>({
        type: 'string',
        enum: ['not_installed', 'suspended', 'unreachable', 'no_answer', 'application_failed'],
        description: 'Why it failed',
      }),
    ),
    form: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'The form with which the application has answered' }),
    ),
  },
  { $id: 'ShownInteraction' },
);
export const SharedInteraction = Shared(ShownInteraction);

/** A press or a choice in a message, a form or a home. */
export const GivenClick = Type.Object({
  block_id: Text(255),
  action_id: Text(255),
  value: Type.Optional(Text(3000, { description: 'Of an element with one value' })),
  values: Type.Optional(
    Type.Array(Text(3000), { maxItems: MOST_VALUES, description: 'Of an element with several' }),
  ),
  state: Type.Optional(
    ByHand(
      'What all elements hold: `{block_id: {action_id: value or values}}`',
      Type.Object({}, { additionalProperties: true }),
    ),
  ),
  click: Type.Unsafe<string>({ ...Uuid, description: 'Names this click, and each attempt to send it' }),
});

/** A question for options. */
export const GivenQuestion = Type.Object({
  block_id: Text(255),
  action_id: Text(255),
  value: Text(LONGEST_QUESTION, { description: 'What was typed' }),
});

export const ShownOffer = Type.Object(
  {
    ...ShownInteraction.properties,
    options: Type.Optional(Type.Array(Type.Unknown(), { description: 'As `MenuOption`' })),
    option_groups: Type.Optional(Type.Array(Type.Unknown(), { description: 'As `MenuOptionGroup`' })),
  },
  { $id: 'ShownOffer' },
);
export const SharedOffer = Shared(ShownOffer);
