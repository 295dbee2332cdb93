export { objectRoutes } from './object.routes.ts';
export { linksOf, type ObjectService, objectService } from './object.service.ts';
export { teamObjects } from './object.step.ts';
export { findObject } from './object.store.ts';
