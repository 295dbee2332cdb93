import type { Application } from '../api/types.ts';

/** The addresses of an application, as they are being entered. */
export interface Addresses {
  readonly base_url: string;
  readonly preinstall_url: string;
  readonly uninstall_url: string;
  readonly team_update_url: string;
  readonly initiate_login_uri: string;
  readonly redirect_uris: readonly string[];
}

export const NO_ADDRESSES: Addresses = {
  base_url: '',
  preinstall_url: '',
  uninstall_url: '',
  team_update_url: '',
  initiate_login_uri: '',
  redirect_uris: [''],
};

/** The addresses that the example application has below its own; a good beginning for any other. */
export function proposeAddresses(base: string): Addresses {
  const below = base.replace(/(?<!\/)\/+$/, '');
  if (!/^https?:\/\/[^/]/.test(base)) return { ...NO_ADDRESSES, base_url: base };
  return {
    base_url: base,
    preinstall_url: `${below}/parley/install`,
    uninstall_url: `${below}/parley/uninstall`,
    team_update_url: `${below}/parley/team`,
    initiate_login_uri: '',
    redirect_uris: [`${below}/parley/redirect`],
  };
}

/** A new base address takes the others along, but none that was entered by hand. */
export function moveBase(addresses: Addresses, base: string): Addresses {
  const before = proposeAddresses(addresses.base_url);
  const after = proposeAddresses(base);
  const follow = (field: 'preinstall_url' | 'uninstall_url' | 'team_update_url') =>
    addresses[field] === before[field] ? after[field] : addresses[field];
  return {
    base_url: base,
    preinstall_url: follow('preinstall_url'),
    uninstall_url: follow('uninstall_url'),
    team_update_url: follow('team_update_url'),
    initiate_login_uri: addresses.initiate_login_uri,
    redirect_uris: addresses.redirect_uris.map((uri, index) =>
      uri === (before.redirect_uris[index] ?? '') ? (after.redirect_uris[index] ?? '') : uri,
    ),
  };
}

export function addressesOf(application: Application): Addresses {
  const { base_url, preinstall_url, uninstall_url, team_update_url, initiate_login_uri, redirect_uris } =
    application;
  return {
    base_url: base_url ?? '',
    preinstall_url: preinstall_url ?? '',
    uninstall_url: uninstall_url ?? '',
    team_update_url: team_update_url ?? '',
    initiate_login_uri: initiate_login_uri ?? '',
    redirect_uris: redirect_uris.length > 0 ? redirect_uris : [''],
  };
}

/** In the platform's form: an omitted URL is null, as are those of calls to an application that is not called. */
export function addressFields(addresses: Addresses, isCalled = true) {
  const { base_url, preinstall_url, uninstall_url, team_update_url, initiate_login_uri, redirect_uris } =
    addresses;
  return {
    base_url: base_url || null,
    preinstall_url: (isCalled && preinstall_url) || null,
    uninstall_url: (isCalled && uninstall_url) || null,
    team_update_url: (isCalled && team_update_url) || null,
    initiate_login_uri: initiate_login_uri || null,
    redirect_uris: redirect_uris.every((uri) => uri === '') ? [] : [...redirect_uris],
  };
}
