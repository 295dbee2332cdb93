import { Type } from 'typebox';
import { Uuid } from '#api';
import type { Failure } from './clickable.ts';

/** How a click goes, as its person is told. */
export const ShownInteraction = Type.Object({
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
      enum: ['not_installed', 'suspended', 'unreachable', 'no_answer'],
      description: 'Why it failed',
    }),
  ),
});
