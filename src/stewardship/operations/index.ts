export { docsRoutes } from './docs.routes.ts';
export { startHousekeeping } from './housekeeping.ts';
export { BEHIND_S, type Metrics, metrics } from './metrics.ts';
export { MOST_DEVIATION_MS, operationsRoutes, proofOf, type Siblings } from './operations.routes.ts';
export { type ServerFactsDeps, serverRoutes } from './server.routes.ts';
export { statusRoutes } from './status.routes.ts';
export { describeQueues, serverStatus } from './status.service.ts';
export { wellKnownRoutes } from './well-known.routes.ts';
