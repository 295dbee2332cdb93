export { auditRoutes } from './audit.routes.ts';
export { AuditEntry } from './audit.schema.ts';
export {
  type AuditAction,
  auditCleaning,
  auditRecorder,
  auditService,
  entriesOfActor,
  type NewAuditEntry,
  type Recorder,
} from './audit.service.ts';
export { forgetAddresses } from './audit.store.ts';
