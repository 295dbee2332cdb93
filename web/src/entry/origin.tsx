import { useTranslations } from 'use-intl';
import { hostOf } from '../api/host.ts';
import type { AskingApplication } from '../api/types.ts';

/** The application's owner and host: names can be chosen freely, addresses cannot. */
export function Origin({ application }: { application: AskingApplication }) {
  const t = useTranslations('entry.consent');
  const { owner_name: owner, base_url } = application;
  return (
    <>
      {owner === undefined ? t('noOwner') : t('by', { owner })}
      <br />
      {base_url === null ? t('noSite') : t('at', { host: hostOf(base_url) })}
    </>
  );
}
