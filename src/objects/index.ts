export { lockedNames, type MentionedObject, mentionedObjects, nameIn } from './mentioned.ts';
export { ApplicationObject, objectRoutes } from './object.routes.ts';
export {
  type ObjectFact,
  type ObjectListener,
  type ObjectService,
  objectService,
} from './object.service.ts';
export { teamObjects } from './object.step.ts';
export { findObject } from './object.store.ts';
