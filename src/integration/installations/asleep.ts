import { NotAllowed } from '#api';
import type { ApplicationRow, InstallationRow } from '#schema';
import { refuseSuspended } from '../applications/index.ts';

/** @throws NotAllowed without an installation */
export function expectInstalled<Installation extends object>(
  installation: Installation | undefined,
): asserts installation is Installation {
  if (installation) return;
  throw new NotAllowed('app_not_installed', 'The application is not installed on this team');
}

/** @throws NotAllowed where the team has not agreed to the hands that the application is in */
export function refuseUnconfirmed(installation: Pick<InstallationRow, 'asleep_since'>): void {
  if (installation.asleep_since === null) return;
  throw new NotAllowed(
    'application_unconfirmed',
    'The application is in other hands: an admin of the team has to agree to what it may do',
  );
}

/** @throws NotAllowed where an application sleeps, everywhere or in this team */
export function refuseAsleep(
  application: ApplicationRow,
  installation: Pick<InstallationRow, 'asleep_since'>,
): void {
  refuseSuspended(application);
  refuseUnconfirmed(installation);
}
