import { useQueries } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { personQuery } from '../../api/queries.ts';
import { nameOf } from '../../design/person.tsx';
import { useNameList } from '../../text/names.ts';
import { useMessageView } from '../state/view-context.tsx';

/** How many are named; the others are counted. */
const NAMED = 3;

/** The names of people; the reader's own is left out where there are others. */
export const Names = ({ ids }: { ids: readonly string[] }) => useNames(ids);

export function useNames(ids: readonly string[]): string {
  const t = useTranslations('members.people');
  const list = useNameList();
  const { me } = useMessageView();
  const others = ids.filter((id) => id !== me.id);
  const shown = others.slice(0, others.length > NAMED + 1 ? NAMED : NAMED + 1);
  const people = useQueries({ queries: shown.map((id) => personQuery(id)) });
  if (others.length === 0) return t('onlyYou');
  const names = people.map(({ data }) => (data ? nameOf(data) : '…'));
  const rest = others.length - shown.length;
  return list(rest > 0 ? [...names, t('more', { count: rest })] : names);
}
