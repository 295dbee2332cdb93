import { Type } from 'typebox';
import type { Applications } from './new-password.ts';

/** Whether applications keep acting for the person after a new password. */
export const ApplicationsAfter = (standard: Applications) =>
  Type.Optional(
    Type.Enum(['keep', 'end'], {
      description: `Whether applications may go on acting for the user; default \`${standard}\``,
    }),
  );
