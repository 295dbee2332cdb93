import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { isLoopback } from '../api/host.ts';
import { ButtonLink } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Card } from '../design/page.tsx';
import styles from './developers.module.css';
import { demoPort } from './snippets.ts';

/** Explains applications to users who have none yet. */
export function Welcome() {
  const t = useTranslations('developers.welcome');
  return (
    <>
      <Card title={t('title')} lead={t('lead')}>
        <ol className={styles.three}>
          {(['first', 'second', 'third'] as const).map((step) => (
            <li key={step}>
              <h3>{t(`${step}.title`)}</h3>
              <p className={styles.soft}>{t(`${step}.text`)}</p>
            </li>
          ))}
        </ol>
        <div>
          <ButtonLink to="/developers/new" look="primary">
            <Plus size={16} aria-hidden />
            {t('register')}
          </ButtonLink>
        </div>
      </Card>
      <TryExample />
    </>
  );
}

/** How to run the example application; it needs the platform on the same machine. */
export function TryExample() {
  const t = useTranslations('developers.example');
  const port = demoPort();
  if (!isLoopback(location.hostname)) return null;
  return (
    <Card title={t('title')} lead={t('lead')}>
      <div className={styles.group}>
        <h3>{t('here')}</h3>
        <p className={styles.soft}>{t('hereText')}</p>
        <div>
          <ButtonLink to="/developers/new" search={{ example: true }}>
            {t('register')}
          </ButtonLink>
        </div>
      </div>
      <div className={styles.group}>
        <h3>{t('demo')}</h3>
        <p className={styles.soft}>{t('demoText', { address: `http://localhost:${port}` })}</p>
        <Copyable text={`PORT=${port} npm run demo`} name={t('demo')} />
      </div>
    </Card>
  );
}
