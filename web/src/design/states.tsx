import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureText } from '../text/failure.ts';
import { Button } from './button.tsx';
import styles from './states.module.css';

/**
 * The content of an empty view: why it is empty, and what to do.
 * @param props.whole whether it fills the page and gives the page its title
 */
export function Empty(props: { icon?: LucideIcon; title: string; whole?: boolean; children?: ReactNode }) {
  const { icon: Icon, title, whole = false, children } = props;
  const Title = whole ? 'h1' : 'h2';
  return (
    <div className={styles.state}>
      {Icon && <Icon size={32} strokeWidth={1.5} aria-hidden />}
      <Title>{title}</Title>
      {children}
    </div>
  );
}

/** Bars in the place of content that is loading, so that nothing jumps when it arrives. */
export function Loading({ rows = 5 }: { rows?: number }) {
  const t = useTranslations('common');
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={row} className={styles.bar} />
      ))}
    </div>
  );
}

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTranslations('common');
  const text = useFailureText();
  return (
    <div className={styles.state} role="alert">
      <CircleAlert size={32} strokeWidth={1.5} aria-hidden />
      <h2>{t('errors.title')}</h2>
      <p>{text(error)}</p>
      {retry && <Button onClick={retry}>{t('retry')}</Button>}
    </div>
  );
}

interface Query<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  refetch(): unknown;
}

/** A query's data, or its state. */
export function Loaded<T>({
  query,
  rows,
  children,
}: {
  query: Query<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(rows !== undefined && { rows })} />;
}
