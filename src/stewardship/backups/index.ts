export { backupRoutes } from './backup.routes.ts';
export { backupService } from './backup.service.ts';
export { forgetSchedule } from './backup.store.ts';
export { scheduledBackups } from './schedule.service.ts';
export { judgeBackups, latest, latestAt, readSchedule } from './schedule.ts';
