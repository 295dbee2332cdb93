import { Type } from 'typebox';
import { ByHand } from '#api';
import { MAX_BLOCKS_BYTES, MOST_PARTS } from './check.ts';
import { OF_CARD } from './read.ts';
import { Blocks, BlocksOfPage, MOST_BLOCKS, MOST_BLOCKS_OF_PAGE } from './shapes/blocks.ts';

/** The field of a body. Read by hand, so that each problem has its own path. */
export const BlocksByHand = ByHand(
  `At most ${MOST_BLOCKS} blocks, ${MOST_PARTS} blocks and elements together, ${MAX_BLOCKS_BYTES} bytes of JSON`,
  Blocks,
);

/** The field of a form or a home. */
export const PageBlocksByHand = ByHand(
  `At most ${MOST_BLOCKS_OF_PAGE} blocks, ${MOST_PARTS} blocks and elements together, ${MAX_BLOCKS_BYTES} bytes of JSON`,
  BlocksOfPage,
);

/** The field of a card of a link. */
export const CardBlocksByHand = ByHand(
  `Shown in place of the text and the fields: at most ${OF_CARD.blocks} blocks and ${OF_CARD.bytes} bytes of JSON, in ` +
    'which only links can be pressed. Without a text, the card says what they say',
  Blocks,
);

/** The field of an answer. */
export const ShownBlocks = Type.Array(Type.Unknown(), {
  description: 'As they were sent; their shapes are those of `Block`',
});
