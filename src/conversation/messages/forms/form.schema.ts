import { type Static, Type } from 'typebox';
import { ByHand, Name, Shared, Text, Uuid } from '#api';
import { PageBlocksByHand, ShownBlocks } from '../../blocks/index.ts';
import { SharedInteraction } from '../interactions/interaction.schema.ts';

/** Characters of a title, and of the two buttons, as in Block Kit. */
export const LONGEST_TITLE = 24;
/** Characters of what an application keeps with a form. */
const LONGEST_METADATA = 3000;
/** Characters of an error below a block. */
export const LONGEST_ERROR = 300;
/** Forms that lie on each other. */
export const MOST_LEVELS = 3;

const Label = (description: string) => Type.Optional(Name(LONGEST_TITLE, description));

/** A form in an answer. */
export const GivenForm = Type.Object(
  {
    title: Name(LONGEST_TITLE),
    blocks: PageBlocksByHand,
    submit: Label('Of the button that submits it. Without one, it cannot be submitted'),
    close: Label('Of the button that closes it'),
    callback_id: Type.Optional(Text(255, { description: 'By which the application knows its forms apart' })),
    metadata: Type.Optional(
      Text(LONGEST_METADATA, {
        description: 'Given back with each event of the form; its person does not see it',
      }),
    ),
    notify_on_close: Type.Optional(
      Type.Boolean({ description: 'Whether the application is told when its person closes it' }),
    ),
    push: Type.Optional(
      Type.Boolean({ description: `On top of the form that was used: at most ${MOST_LEVELS} in all` }),
    ),
    hash: Type.Optional(
      Text(36, { description: 'Of the form that this one replaces: refused if it is another one by now' }),
    ),
  },
  { $id: 'GivenForm' },
);
export type GivenForm = Static<typeof GivenForm>;

export const FormErrors = ByHand(
  'Of a submission: what is wrong, by the ids of the blocks of the form, which stays open',
  Type.Object({}, { additionalProperties: true }),
);

/** A form as its person gets it. */
export const ShownForm = Type.Object(
  {
    id: Uuid,
    application: Type.Object({ id: Uuid, name: Type.String(), icon: Type.String() }),
    team: Uuid,
    title: Type.String(),
    blocks: ShownBlocks,
    submit: Type.Optional(Type.String()),
    close: Type.Optional(Type.String()),
    hash: Type.Unsafe<string>({ ...Uuid, description: 'Another one after each change' }),
    errors: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'What the application found wrong, by the ids of blocks',
      }),
    ),
    below: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'The form on which it lies' })),
    submission: Type.Optional(SharedInteraction),
    expires_at: Type.Number(),
  },
  { $id: 'ShownForm' },
);
export type ShownForm = Static<typeof ShownForm>;

export const SharedForm = Shared(ShownForm);
