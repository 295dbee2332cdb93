import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl';
import styles from './entry.module.css';

const KNOWN = ['messages:read', 'messages:write'] as const;
type Known = (typeof KNOWN)[number];

/** What is allowed, in words: first what this application asks for, then what all may. */
export function ConsentScopes({ scopes }: { scopes: readonly string[] }) {
  const t = useTranslations('entry.consent');
  const wordsOf = (scope: string) =>
    KNOWN.includes(scope as Known) ? t(`scopes.${scope as Known}`) : t('otherScope', { scope });
  return (
    <div className={styles.stack}>
      {scopes.length > 0 && <Allowed title={t('more')} texts={scopes.map(wordsOf)} />}
      <Allowed
        title={t('always')}
        texts={[t('everyScope.profile'), t('everyScope.teams'), t('everyScope.post')]}
      />
    </div>
  );
}

function Allowed({ title, texts }: { title: string; texts: readonly string[] }) {
  return (
    <div>
      <h2 className={styles.part}>{title}</h2>
      <ul>
        {texts.map((text) => (
          <li key={text} className={styles.allowed}>
            <Check size={18} aria-hidden />
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
