export { isSameAddress, readAddress } from './addresses.ts';
export { applicationsPart } from './application.export.ts';
export type { ApplicationFact, ApplicationListener, NewWebhookKey } from './application.facts.ts';
export { applicationRoutes, DEFAULT_OVERLAP_S } from './application.routes.ts';
export {
  Application,
  MAX_LINK_PREFIXES,
  NewApplication,
  PublicApplication,
  Scopes,
  Suspension,
} from './application.schema.ts';
export { ROTATION_PAUSE_MS } from './application.secrets.ts';
export { type ApplicationService, applicationService, MOST_OWNED } from './application.service.ts';
export {
  findAnyApplication,
  findApplication,
  listAllApplications,
  listOwners,
  lockApplication,
  rewriteSecrets,
  setAuthor,
  shareApplication,
} from './application.store.ts';
export { linkPrefixesOf, openedAt, redirectUrisOf, scopesOf } from './application.view.ts';
export { AUTH_METHODS, isPublic, NO_SECRET, refusePublic } from './client-type.ts';
export {
  type ClaimedCommand,
  Command,
  commandName,
  commandsOf,
  LONGEST_COMMAND,
  lookOf,
  MOST_COMMANDS,
  MOST_SHORTCUTS,
  Shortcut,
  shortcutsOf,
} from './commands.ts';
export {
  basicCredentials,
  type Client,
  type ClientRefusal,
  credentialChecker,
  type GivenClient,
} from './credentials.ts';
export { iconVersion, isPictureAddress, shownIcon } from './icon.ts';
export { type DecidedLinks, decidedLinks, grantedLinks, splitLinks } from './link-grants.ts';
export { isBelow } from './link-prefix.ts';
export { applicationProgress, type Progress } from './progress.service.ts';
export { destinationOf, isLoopbackRedirect, isPrivateUse, matchesRedirectUri } from './redirect-uri.ts';
export { renewSecrets } from './renew-secrets.ts';
export { OWN_SCOPES, SCOPES, scopeCatalogue } from './scopes.ts';
export { isAwake, isSuspended, presentSuspension, refuseSuspended } from './suspension.ts';
