import { type Static, Type } from 'typebox';
import { Uuid } from '#api';
import { ShownBlocks } from '../../blocks/index.ts';

/** The page of an application, as its person gets it. */
export const ShownHome = Type.Object(
  {
    application: Type.Object({ id: Uuid, name: Type.String(), icon: Type.String() }),
    team: Uuid,
    blocks: Type.Union([ShownBlocks, Type.Null()], {
      description: 'Null until the application has published one for this person',
    }),
    hash: Type.Unsafe<string | null>({
      ...Uuid,
      type: ['string', 'null'],
      description: 'Another one after each change',
    }),
  },
  { $id: 'ShownHome' },
);
export type ShownHome = Static<typeof ShownHome>;
