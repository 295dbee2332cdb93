export {
  type Act,
  asksForOptions,
  chosenPeople,
  type GivenAct,
  LEAST_TYPED,
  type Offered,
  type Question,
  readAct,
  readQuestion,
  readSubmission,
  type State,
} from './act.ts';
export { blockRoutes } from './block.routes.ts';
export { checkBlocks, MAX_BLOCKS_BYTES, MOST_PARTS, prepareCheck } from './check.ts';
export { type Offer, readOffer, valuesIn } from './offer.ts';
export { picturesIn } from './pictures.ts';
export { findBlocks, OF_CARD, readBlocks, readCardBlocks, readPageBlocks } from './read.ts';
export { textOfBlocks } from './said.ts';
export { BlocksByHand, CardBlocksByHand, PageBlocksByHand, ShownBlocks } from './schema.ts';
export { type Block, MOST_BLOCKS, MOST_BLOCKS_OF_PAGE } from './shapes/blocks.ts';
export { blockSchemas } from './shapes/shape.ts';
