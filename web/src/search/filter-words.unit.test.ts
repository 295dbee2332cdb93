import { describe, expect, it } from 'vitest';
import { filterWordsIn, readDays, withFilters } from './filter-words.ts';

describe('words of a search that stand for filters', () => {
  it('become the filters where they fit one, and stay words where they do not', async () => {
    const read = (kind: string, value: string) =>
      kind === 'from' && value === 'Priya Nair' ? { author: '7' } : undefined;
    expect(await withFilters({ q: 'rye  From:“Priya Nair” bread', team: '1' }, read)).toEqual({
      q: 'rye bread',
      team: '1',
      author: '7',
    });
    const search = { q: 'from:zoe https://x.example in: bakery wherefrom:priya' };
    expect(await withFilters(search, read)).toBe(search);
    expect(filterWordsIn(search.q)).toEqual(['from:zoe']);
  });

  it('leave out the day before and after which they search', () => {
    const now = new Date(2026, 2, 1, 0, 30);
    expect(readDays('before', '2026-03-01', now)).toEqual({ to: '2026-02-28' });
    expect(readDays('after', 'yesterday', now)).toEqual({ from: '2026-03-01' });
    expect(readDays('on', 'Today', now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
    expect(readDays('before', '2026-02-31', now)).toBe(undefined);
    expect(readDays('before', 'easter', now)).toBe(undefined);
  });
});
