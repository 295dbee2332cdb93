import { useTranslations } from 'use-intl';
import { ApiError, Unreachable } from '../api/client.ts';
import { Button, ButtonLink } from './button.tsx';
import { useTitle } from './page.tsx';
import { Empty, Failure } from './states.tsx';

export function NotFoundPage() {
  const t = useTranslations('shell.notFound');
  useTitle(t('title'));
  return (
    <Empty whole title={t('title')}>
      <p>{t('text')}</p>
      <ButtonLink to="/inbox">{t('home')}</ButtonLink>
    </Empty>
  );
}

/** The same as a whole page. */
export function NothingHere() {
  return (
    <main>
      <NotFoundPage />
    </main>
  );
}

/** Replaces the whole page when it could not be loaded or has thrown. */
export function Broken({ error }: { error: unknown }) {
  return (
    <main>
      <Crashed error={error} />
    </main>
  );
}

function Crashed({ error }: { error: unknown }) {
  const t = useTranslations('shell.crashed');
  useTitle(t('title'));
  if (error instanceof ApiError || error instanceof Unreachable) {
    return <Failure error={error} retry={() => location.reload()} />;
  }
  return (
    <Empty whole title={t('title')}>
      <p>{t('text')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </Empty>
  );
}
