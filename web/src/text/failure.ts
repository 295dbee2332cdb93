import { useTranslations } from 'use-intl';
import { ApiError, Unreachable } from '../api/client.ts';

/** @returns a function that says what went wrong, and what to do, in the reader's language */
export function useFailureText(): (error: unknown) => string {
  const t = useTranslations('common.errors');
  return (error) => {
    if (error instanceof Unreachable) return t('unreachable');
    if (!(error instanceof ApiError)) return t('server');
    if (error.status === 401) return t('signedOut');
    if (error.status === 404) return t('notFound');
    if (error.status === 413) return t('tooLarge');
    if (error.status === 429) return t('tooMany', { seconds: error.retryAfter ?? 60 });
    if (error.status >= 500) return t('server');
    // The server says what is wrong and what to do, more exactly than a text by the code could.
    return error.message;
  };
}
