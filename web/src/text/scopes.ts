import { useTranslations } from 'use-intl';
import type en from './en/index.ts';
import { isolated } from './isolated.ts';

type Known = keyof typeof en.common.scopes;

/** What is granted to an application is a scope, or the beginning of links. */
export const isLink = (right: string) => right.includes('://');

/**
 * @returns a function that says in words what a scope, or the beginning of links, allows; a scope that is new to this
 * page by its name
 */
export function useScopeText(): (right: string) => string {
  const t = useTranslations('common');
  return (right) => {
    if (isLink(right)) return t('hearsOfLinks', { address: isolated(right) });
    return t.has(`scopes.${right as Known}`) ? t(`scopes.${right as Known}`) : right;
  };
}
