import { useTranslations } from 'use-intl';
import type en from './en/index.ts';

type Known = keyof typeof en.common.scopes;

/** @returns a function that says in words what a scope allows; one that is new to this page by its name */
export function useScopeText(): (scope: string) => string {
  const t = useTranslations('common.scopes');
  return (scope) => (t.has(scope as Known) ? t(scope as Known) : scope);
}
