import { useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { retold } from '../text/failure.ts';
import { nameFaultOf } from '../text/name-faults.ts';

/** @returns a function that tells a refusal of commands and shortcuts in the reader's words */
export function useNamedErrors(): (error: unknown) => unknown {
  const t = useTranslations('developers.named');
  return (error) => {
    if (!(error instanceof ApiError)) return error;
    const told = Object.entries(error.fields).flatMap(([field, message]) => {
      const fault = nameFaultOf(message);
      return fault === undefined ? [] : [[field, t(fault)]];
    });
    return retold(error, Object.fromEntries(told));
  };
}
