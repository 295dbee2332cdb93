import type { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Page } from '../api/client.ts';
import { Button } from '../design/button.tsx';
import { Failure, Loaded } from '../design/states.tsx';

type Query<T> = ReturnType<typeof useInfiniteQuery<Page<T>, Error, { pages: Page<T>[] }>>;

/** The loaded part of a list, with a button for the next page. */
export function Pages<T>(props: { query: Query<T>; children: (items: T[]) => ReactNode }) {
  const { query, children } = props;
  const t = useTranslations('administration');
  return (
    <>
      <Loaded query={query}>{({ pages }) => children(pages.flatMap(({ data }) => data))}</Loaded>
      {query.isFetchNextPageError && <Failure error={query.error} />}
      {query.hasNextPage && (
        <div>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}
