import { useFormatter, useLocale } from 'use-intl';
import { directionOf, isolated } from './languages.ts';

/** @returns what lists names, each in its own direction where the language is written from right to left */
export function useNameList(): (names: readonly string[]) => string {
  const format = useFormatter();
  const isRtl = directionOf(useLocale()) === 'rtl';
  return (names) => format.list(isRtl ? names.map(isolated) : names);
}
