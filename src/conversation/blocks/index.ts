export { blockRoutes } from './block.routes.ts';
export { findBlocks, readBlocks } from './read.ts';
export { textOfBlocks } from './said.ts';
export { BlocksByHand, ShownBlocks } from './schema.ts';
export type { Block } from './shapes/blocks.ts';
export { blockSchemas } from './shapes/shape.ts';
