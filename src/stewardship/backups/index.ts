export { backupRoutes } from './backup.routes.ts';
export { backupService } from './backup.service.ts';
