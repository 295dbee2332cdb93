import { useTranslations } from 'use-intl';
import { hostOf } from '../api/host.ts';
import type { AskingApplication } from '../api/types.ts';
import { NotProved } from '../design/not-proved.tsx';

/** The application's owner and host. The owner wrote both: nobody asks the host whether it agrees. */
export function Origin({ application }: { application: AskingApplication }) {
  const t = useTranslations('entry.consent');
  const { owner_name: owner, base_url } = application;
  return (
    <>
      {owner === undefined ? t('noOwner') : t('by', { owner })}
      <br />
      {base_url === null ? (
        t('noSite')
      ) : (
        <>
          {t('at', { host: hostOf(base_url) })} <NotProved />
        </>
      )}
    </>
  );
}
