export { applicationAdministrationRoutes } from './administration.routes.ts';
export { expectInstalled, refuseAsleep, refuseUnconfirmed } from './asleep.ts';
export { installBody } from './install-body.ts';
export { isOpenTo } from './installable.ts';
export { installationsPart } from './installation.export.ts';
export { installationRoutes } from './installation.routes.ts';
export { Installation } from './installation.schema.ts';
export {
  type InstallationListener,
  type InstallationService,
  installationService,
} from './installation.service.ts';
export { installationViews } from './installation.views.ts';
