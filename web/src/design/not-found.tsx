import { useTranslations } from 'use-intl';
import { ApiError, Unreachable } from '../api/client.ts';
import { Button, ButtonLink } from './button.tsx';
import { useTitle } from './page.tsx';
import { isServed } from './reload.ts';
import { Empty, Failure } from './states.tsx';

/** Without the server the browser would show its own error in the place of the page. */
const reloadIfServed = async () => {
  if (await isServed()) location.reload();
};

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

/** Replaces the whole page when its frame could not be loaded or has thrown. */
export function Broken({ error }: { error: unknown }) {
  return (
    <main>
      <BrokenView error={error} />
    </main>
  );
}

/** In the place of a view that could not be loaded or has thrown. */
export function BrokenView({ error }: { error: unknown }) {
  const t = useTranslations('shell.crashed');
  useTitle(t('title'));
  if (error instanceof Unreachable || error instanceof ApiError)
    return (
      <>
        <h1 className="visually-hidden">{t('title')}</h1>
        <Failure error={error} retry={reloadIfServed} />
      </>
    );
  return (
    <Empty whole title={t('title')}>
      <p>{t('text')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </Empty>
  );
}
