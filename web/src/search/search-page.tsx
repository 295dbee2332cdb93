import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search as SearchIcon, SearchX } from 'lucide-react';
import type { FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import { Button } from '../design/button.tsx';
import { AddressField, Select, TextField } from '../design/field.tsx';
import { PageBody } from '../design/page.tsx';
import { Empty, Failure, Loaded } from '../design/states.tsx';
import { AuthorFilter } from './author-filter.tsx';
import { Found } from './found.tsx';
import { HAS, readSearch, type Search, searchQuery } from './queries.ts';
import styles from './search.module.css';

/** Messages by their words. Everything that narrows a search is in the address: it can be shared, and come back to. */
export function SearchPage() {
  const t = useTranslations('search');
  const search = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate();
  const narrow = (change: Search) =>
    void navigate({ to: '/search', search: readSearch({ ...search, ...change }), replace: true });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q')).trim();
    void navigate({ to: '/search', search: readSearch({ ...search, q }) });
  };
  return (
    <PageBody title={search.q === undefined ? t('title') : t('titleFor', { text: search.q })}>
      <search>
        <form onSubmit={submit} className={styles.field} key={search.q}>
          <TextField
            label={t('words')}
            name="q"
            type="search"
            required
            maxLength={200}
            defaultValue={search.q}
            autoFocus={search.q === undefined}
          />
          <Button type="submit" look="primary">
            <SearchIcon size={16} aria-hidden />
            {t('submit')}
          </Button>
        </form>
      </search>
      <Filters search={search} narrow={narrow} />
      <div aria-live="polite">{search.q === undefined ? <Hints /> : <Results search={search} />}</div>
    </PageBody>
  );
}

function Filters({ search, narrow }: { search: Search; narrow: (change: Search) => void }) {
  const t = useTranslations('search');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  return (
    <div className={styles.filters}>
      <AuthorFilter author={search.author} choose={(author) => narrow({ author })} />
      <Select
        label={t('team')}
        value={search.team ?? ''}
        onChange={({ target }) => narrow({ team: target.value })}
      >
        <option value="">{t('anyTeam')}</option>
        {memberships.map(({ team }) => (
          <option key={team.id} value={team.id}>
            {team.name}
          </option>
        ))}
      </Select>
      <Select
        label={t('has')}
        value={search.has ?? ''}
        onChange={({ target }) => narrow({ has: target.value as Search['has'] & string })}
      >
        <option value="">{t('hasAnything')}</option>
        {HAS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`hasKind.${kind}`)}
          </option>
        ))}
      </Select>
      <AddressField
        label={t('from')}
        type="date"
        value={search.from ?? ''}
        onChange={({ target }) => narrow({ from: target.value })}
      />
      <AddressField
        label={t('to')}
        type="date"
        value={search.to ?? ''}
        onChange={({ target }) => narrow({ to: target.value })}
      />
    </div>
  );
}

function Hints() {
  const t = useTranslations('search');
  return (
    <Empty icon={SearchIcon} title={t('hintTitle')}>
      <p>{t('hint')}</p>
    </Empty>
  );
}

function Results({ search }: { search: Search }) {
  const t = useTranslations('search');
  const common = useTranslations('common');
  const query = useInfiniteQuery(searchQuery(search));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const found = pages.flatMap(({ data, meta }) =>
          data.map((message) => ({ message, snippet: meta.snippets?.[message.id] })),
        );
        if (found.length === 0)
          return (
            <Empty icon={SearchX} title={t('nothing')}>
              <p>{t('nothingHint')}</p>
            </Empty>
          );
        return (
          <div className={styles.results}>
            {found.map(({ message, snippet }) => (
              <Found key={message.id} message={message} snippet={snippet} />
            ))}
            {query.isFetchNextPageError && <Failure error={query.error} />}
            {query.hasNextPage && (
              <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {common('more')}
              </Button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
