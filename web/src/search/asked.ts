import { redirect } from '@tanstack/react-router';
import { readSearch, type Search } from './queries.ts';

/** Whoever comes with words, from a link or the palette too, gets the filters that they stand for. */
export async function narrowByWords({ search: asked }: { search: Search }): Promise<void> {
  if (asked.q?.includes(':') !== true) return;
  // Most searches have none.
  const { withFilters } = await import('./filter-words.ts');
  const search = await withFilters(asked);
  if (search !== asked) throw redirect({ to: '/search', search: readSearch({ ...search }) });
}
