import type { Reader, Tx } from '#platform/db/index.ts';
import { ending } from './ending.ts';
import { granting } from './granting.ts';
import { findActive, lockActive } from './installation.store.ts';
import { installing } from './installing.ts';
import { sleeping } from './sleeping.ts';

export type InstallationService = ReturnType<typeof installationService>;

type Deps = Parameters<typeof installing>[0] &
  Parameters<typeof granting>[0] &
  Parameters<typeof ending>[0] &
  Parameters<typeof sleeping>[0];

/** The life of an installation: it begins, is granted rights, sleeps and wakes, and ends. */
export const installationService = (deps: Deps) => ({
  ...installing(deps),
  ...granting(deps),
  ...sleeping(deps),
  ...ending(deps),
  active,
  lock,
});

const active = (reader: Reader, applicationId: string, teamId: string) =>
  findActive.first(reader, { applicationId, teamId });

/** Like `active`, and locks the installation until the transaction ends. */
const lock = (tx: Tx, applicationId: string, teamId: string) =>
  lockActive.first(tx, { applicationId, teamId });
