import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import type { JoinLink } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { LocalLinks } from '../design/local-links.tsx';
import { Notice } from '../design/notice.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './entry.module.css';

const MONTH_S = 30 * 86_400;

/** Makes one link for everybody, which works for a month. Other limits are in the settings of the team. */
export function JoinLinkMaker({ team, onMade }: { team: string; onMade: () => void }) {
  const t = useTranslations('entry.welcome.people');
  const failure = useFailureText();
  const make = useMutation({
    mutationFn: () =>
      callOne<JoinLink>(`/v1/teams/${team}/join_links`, {
        method: 'POST',
        body: { expires_at: Date.now() / 1000 + MONTH_S },
      }),
    onSuccess: onMade,
  });
  return (
    <section className={styles.stack}>
      <div>
        <h2>{t('oneLink')}</h2>
        <p className={styles.soft}>{t('oneLinkText')}</p>
      </div>
      <div role="status" className={styles.stack}>
        {make.data && <Copyable text={make.data.url ?? ''} name={t('oneLink')} />}
        {make.data && <LocalLinks links={[make.data]} text={t('local')} />}
      </div>
      {make.error && <Notice kind="danger">{failure(make.error)}</Notice>}
      {!make.data && (
        <div>
          <Button busy={make.isPending} onClick={() => make.mutate()}>
            {t('oneLinkMake')}
          </Button>
        </div>
      )}
    </section>
  );
}
