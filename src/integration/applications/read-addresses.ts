import { type FieldProblem, InvalidFields } from '#api';
import { type OwnPolicy, type ReadAddress, readAddress } from './addresses.ts';
import type { ApplicationChange } from './application.schema.ts';
import { readLinkPrefix } from './link-prefix.ts';
import { loginParameter, readRedirectUri, reservedParameter } from './redirect-uri.ts';

/** The addresses in its row. */
export const OWN_ADDRESSES = [
  'base_url',
  'preinstall_url',
  'uninstall_url',
  'team_update_url',
  'initiate_login_uri',
] as const;
const ADDRESSES = [...OWN_ADDRESSES, 'interaction_url'] as const;

/**
 * Normalises the addresses among the fields. @param before redirect addresses that it has, which stay as they are
 * @throws InvalidFields naming each that is refused
 */
export function readAddresses<Fields extends ApplicationChange>(
  fields: Fields,
  before: readonly string[],
  policy: OwnPolicy,
): Fields {
  const problems: FieldProblem[] = [];
  const keep = (field: string, text: string, address: ReadAddress): string => {
    if (address.ok) return address.href;
    problems.push({ field, message: address.detail });
    return text;
  };
  if (fields.icon !== undefined && hasForeignScheme(fields.icon)) {
    problems.push({ field: 'icon', message: 'must be an emoji, or an address that begins with https://' });
  }
  const refuseParameter = (field: string, name: string | undefined) => {
    if (name === undefined) return;
    const message = `must not have the parameter ${name}: the answer adds its own to the address`;
    problems.push({ field, message });
  };
  const found = { ...fields };
  for (const name of ADDRESSES) {
    const text = fields[name];
    if (text === undefined || text === null) continue;
    if (name === 'initiate_login_uri') refuseParameter(name, loginParameter(text));
    found[name] = keep(name, text, readAddress(text, policy));
  }
  const uris = fields.redirect_uris?.map((text, index) => {
    if (before.includes(text)) return text;
    const field = `redirect_uris.${index}`;
    refuseParameter(field, reservedParameter(text));
    return keep(field, text, readRedirectUri(text, policy));
  });
  const prefixes = fields.link_prefixes?.map((text, index) => {
    const prefix = readLinkPrefix(text, policy);
    if (prefix.ok) return prefix.href;
    problems.push({ field: `link_prefixes.${index}`, message: prefix.detail });
    return text;
  });
  if (problems.length > 0) throw new InvalidFields(problems);
  return {
    ...found,
    ...(uris && { redirect_uris: uris }),
    ...(prefixes && { link_prefixes: [...new Set(prefixes)] }),
  };
}

/** Only HTTP(S) addresses are accepted as pictures: `javascript:` and `data:` would reach the browser unchanged. */
function hasForeignScheme(icon: string): boolean {
  return URL.canParse(icon) && !/^https?:$/.test(new URL(icon).protocol);
}
