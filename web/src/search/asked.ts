import { redirect } from '@tanstack/react-router';
import { readSearch, type Search } from './queries.ts';

/** Turns words that stand for filters into them, also those of a link or of the palette. */
export async function narrowByWords({ search: asked }: { search: Search }): Promise<void> {
  if (asked.q?.includes(':') !== true) return;
  // Most searches have none.
  const { withFilters } = await import('./filter-words.ts');
  const search = await withFilters(asked);
  if (search !== asked) throw redirect({ to: '/search', search: readSearch({ ...search }) });
}
