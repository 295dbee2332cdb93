export { blockRoutes } from './block.routes.ts';
export { readBlocks } from './read.ts';
export { textOfBlocks } from './said.ts';
export { BlocksByHand, ShownBlocks } from './schema.ts';
export { type Block, blockSchemas } from './shapes/blocks.ts';
export { parts } from './walk.ts';
