export { auditPart } from './audit.part.ts';
export {
  type ExportPart,
  jsonFile,
  jsonListFile,
  listPart,
  once,
  type PageOfUser,
  pagesOf,
} from './export.part.ts';
export { exportRoutes } from './export.routes.ts';
export { exportService } from './export.service.ts';
