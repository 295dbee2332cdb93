export { ICON_REFRESH_MS, iconFetcher, MAX_ICON_BYTES } from './icon.fetcher.ts';
export { iconRoutes } from './icon.routes.ts';
export { iconService } from './icon.service.ts';
