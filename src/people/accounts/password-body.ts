import { Type } from 'typebox';
import type { Applications } from './account.service.ts';

/** What a new password means for the applications that act for the person. */
export const ApplicationsAfter = (standard: Applications) =>
  Type.Optional(
    Type.Enum(['keep', 'end'], {
      description: `Whether applications may go on acting for the user; default \`${standard}\``,
    }),
  );
