import { useSuspenseQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import { NotProved } from '../design/not-proved.tsx';
import { isolated } from '../text/isolated.ts';
import { useScopeText } from '../text/scopes.ts';
import styles from './entry.module.css';

/** The scopes in words: first those that this application newly asks for, then those of all applications. */
export function ConsentScopes({
  scopes,
  before = [],
  linkPrefixes,
}: {
  scopes: readonly string[];
  /** Scopes to which the person agreed before. */
  before?: readonly string[];
  /** The beginnings of links that it hears of. */
  linkPrefixes: readonly string[];
}) {
  const t = useTranslations('entry.consent');
  const { data: server } = useSuspenseQuery(serverQuery);
  const reach = { reach: server.application_posting };
  const textOf = useScopeText();
  return (
    <div className={styles.stack}>
      {scopes.length > 0 && <Allowed title={t('more')} texts={scopes.map(textOf)} />}
      {before.length > 0 && <Allowed title={t('before')} texts={before.map(textOf)} />}
      {linkPrefixes.length > 0 && (
        <p className={styles.soft}>
          {t('hearsLinks', { addresses: linkPrefixes.map(isolated).join(', ') })} <NotProved />
        </p>
      )}
      <Allowed
        title={t('always')}
        texts={[
          t('everyScope.profile'),
          t('everyScope.settings', reach),
          t('everyScope.teams', reach),
          t('everyScope.people', { seen: server.profile_visibility }),
          t('everyScope.post', reach),
        ]}
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
