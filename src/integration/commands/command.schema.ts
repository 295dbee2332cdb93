import { type Static, Type } from 'typebox';
import { Uuid } from '#api';
import { Command, Shortcut } from '../applications/index.ts';

const Named = Type.Object({ id: Uuid, name: Type.String(), icon: Type.String() });

export const TeamCommand = Type.Object({
  name: Command.properties.name,
  description: Type.String(),
  hint: Type.String({ description: 'Stands for the arguments; empty for a command without' }),
  application: Named,
  taken_by: Type.Optional(
    Type.Object(Named.properties, {
      description:
        'For admins: another application has this name, or one that looks like it, so that this one is not reached by it',
    }),
  ),
});
export type TeamCommand = Static<typeof TeamCommand>;

export const OfferedShortcut = Type.Object({ ...Shortcut.properties, application: Named });
export type OfferedShortcut = Static<typeof OfferedShortcut>;
