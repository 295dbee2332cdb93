export { ICON_BACKOFF_MS, ICON_REFRESH_MS, MAX_ICON_BYTES, startIconFetcher } from './icon.fetcher.ts';
export { iconRoutes } from './icon.routes.ts';
export { type IconService, iconService } from './icon.service.ts';
export { iconsState } from './icon.store.ts';
