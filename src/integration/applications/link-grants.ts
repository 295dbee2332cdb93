import type { ApplicationRow, InstallationRow } from '#schema';
import { isBelow } from './link-prefix.ts';

/** What an admin decided about the links of an application. */
export interface DecidedLinks {
  readonly granted: readonly string[];
  readonly declined: readonly string[];
}

type Asked = Pick<ApplicationRow, 'link_prefixes_json'>;
type Decided = Pick<InstallationRow, 'link_prefixes_json'>;

const linksAsked = ({ link_prefixes_json }: Asked) => JSON.parse(link_prefixes_json) as string[];

export const decidedLinks = ({ link_prefixes_json }: Decided) =>
  JSON.parse(link_prefixes_json) as DecidedLinks;

/** The link prefixes that an application asks for now, by what an admin of the team decided about each. */
export function splitLinks(asked: Asked, installation: Decided) {
  const { granted, declined } = decidedLinks(installation);
  // A part of what was granted needs no new agreement, and what was granted stays where the application asks for more.
  const isGranted = (prefix: string) => granted.some((one) => isBelow(prefix, one));
  const open = linksAsked(asked).filter((prefix) => !isGranted(prefix));
  return {
    granted: [
      ...linksAsked(asked).filter(isGranted),
      ...granted.filter((one) => open.some((prefix) => isBelow(one, prefix))),
    ],
    requested: open.filter((prefix) => !declined.includes(prefix)),
    declined: open.filter((prefix) => declined.includes(prefix)),
  };
}

/** The beginnings of the links that an application hears of, and may show cards for, in a team. */
export const grantedLinks = (asked: Asked, installation: Decided) => splitLinks(asked, installation).granted;
