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
    if (error.reason === 'password_needed') return t('passwordNeeded');
    if (error.status === 413) return t('tooLarge');
    if (error.status === 429) return t('tooMany', { seconds: error.retryAfter ?? 60 });
    if (error.status >= 500) return t('server');
    // The server says what is wrong and what to do, more exactly than a text by the code could.
    return error.message;
  };
}

/**
 * The same refusal in our own words, which the server's English ones are not in every language.
 * @param texts by the field or reason that the server names
 */
export function retold(error: unknown, texts: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ApiError)) return error;
  const problems = Object.entries(error.fields).map(([reason, message]) => ({
    code: error.code,
    reason,
    message: texts[reason] ?? message,
  }));
  return new ApiError(error.status, problems, error.retryAfter);
}
