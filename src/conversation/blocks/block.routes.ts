import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, InvalidFields } from '#api';
import { readBlocks } from './read.ts';
import { textOfBlocks } from './said.ts';
import { BlocksByHand, ShownBlocks } from './schema.ts';

export function blockRoutes(app: FastifyInstance): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/blocks/check',
    access: 'developer',
    tag: 'Messages',
    summary: 'Check blocks, and read the text that is made of them',
    description:
      'Stores nothing. Each problem has the path of its field in `reason`, as `blocks[3].elements[0].type`, and its JSON pointer in `pointer`.',
    body: Type.Object({ blocks: BlocksByHand }),
    item: Type.Object({
      blocks: ShownBlocks,
      text: Type.String({ description: 'What a message with these blocks says where it has no text' }),
    }),
    errors: [InvalidFields],
    handle: async ({ body }) => {
      const blocks = readBlocks(body.blocks ?? null);
      if (!blocks) throw new InvalidFields({ field: 'blocks', message: 'is required', pointer: '/blocks' });
      return [{ blocks: [...blocks], text: textOfBlocks(blocks) }];
    },
  });
}
