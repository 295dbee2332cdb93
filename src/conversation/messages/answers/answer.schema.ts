import { type Static, Type } from 'typebox';
import { ByHand, Uuid } from '#api';
import { BlocksByHand, ShownBlocks } from '../../blocks/index.ts';
import { FormErrors, GivenForm } from '../forms/form.schema.ts';
import { NewMessage } from '../view/message.schema.ts';

/** At most one of the first four is true. Without any, the click is done and nothing is said. */
export const GivenAnswer = Type.Object({
  replace: Type.Optional(
    Type.Boolean({ description: 'The message becomes this, if the application posted it' }),
  ),
  append: Type.Optional(
    Type.Boolean({ description: 'The message gets these blocks below those that it has' }),
  ),
  reply: Type.Optional(
    Type.Boolean({
      description: 'An answer for all: below the message, or a message in the team to what was asked there',
    }),
  ),
  ephemeral: Type.Optional(
    Type.Boolean({
      description: 'For the person alone who asked, for a day; below the message, if there is one',
    }),
  ),
  failed: Type.Optional(
    Type.Boolean({
      description:
        'The application could not do it, which its person is told. A submitted form stays open. Goes with `ephemeral` alone',
    }),
  ),
  text: NewMessage.properties.text,
  blocks: Type.Optional(BlocksByHand),
  form: Type.Optional(GivenForm),
  errors: Type.Optional(FormErrors),
  options: Type.Optional(
    ByHand(
      'Of a question for options: up to 100 as those of a `static_select`, or none',
      Type.Array(Type.Unknown(), { maxItems: 100 }),
    ),
  ),
  option_groups: Type.Optional(
    ByHand('In place of `options`: up to 100 groups of them', Type.Array(Type.Unknown(), { maxItems: 100 })),
  ),
});
export type GivenAnswer = Static<typeof GivenAnswer>;

export const EphemeralAnswer = Type.Object({
  id: Uuid,
  message: Type.Unsafe<string | null>({
    ...Uuid,
    type: ['string', 'null'],
    description: 'Below which it is shown; null of what answers a command or a shortcut of the team',
  }),
  team: Uuid,
  application: Type.Object({ id: Uuid, name: Type.String(), icon: Type.String() }),
  text: Type.String(),
  blocks: Type.Optional(ShownBlocks),
  created_at: Type.Number(),
  expires_at: Type.Number(),
});
export type EphemeralAnswer = Static<typeof EphemeralAnswer>;
