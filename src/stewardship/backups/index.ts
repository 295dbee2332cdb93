export { backupRoutes } from './backup.routes.ts';
export { backupService } from './backup.service.ts';
export { forgetSchedule } from './backup.store.ts';
export { DATABASE, FILES, MANIFEST, type Manifest, readManifest } from './manifest.ts';
export { type Pack, packer } from './pack.ts';
export { scheduledBackups } from './schedule.service.ts';
export { judgeBackups, latest, latestAt, readSchedule } from './schedule.ts';
