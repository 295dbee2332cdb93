export { iconFetcher } from './icon.fetcher.ts';
export { iconRoutes } from './icon.routes.ts';
export { iconService } from './icon.service.ts';
