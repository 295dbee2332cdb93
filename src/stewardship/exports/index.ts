export { exportRoutes } from './export.routes.ts';
export { exportService } from './export.service.ts';
export { personalParts } from './personal.parts.ts';
