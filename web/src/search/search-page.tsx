import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search as SearchIcon, SearchX, SlidersHorizontal } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { onLive } from '../api/live.ts';
import { membershipsQuery, meQuery, queryClient } from '../api/queries.ts';
import type { Message } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { CheckedForm } from '../design/checked-form.tsx';
import { AddressField, Select, TextField } from '../design/field.tsx';
import { PageBody } from '../design/page.tsx';
import { Empty, Failure, Loaded } from '../design/states.tsx';
import { useNameOfConversation } from '../members/message/people.tsx';
import { conversationQuery } from '../members/state/direct.ts';
import { subjectsQuery } from '../members/state/subjects.ts';
import { AuthorFilter } from './author-filter.tsx';
import { filterWordsIn } from './filter-words.ts';
import { Found } from './found.tsx';
import { HAS, isSearch, readSearch, SEARCHES, type Search, searchQuery } from './queries.ts';
import styles from './search.module.css';

/** Messages by their words. Everything that narrows a search is in the address: it can be shared, and come back to. */
export function SearchPage() {
  const t = useTranslations('search');
  const search = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate();
  const narrow = (change: Search) =>
    void navigate({ to: '/search', search: readSearch({ ...search, ...change }), replace: true });
  // Words that became filters leave the field, also where the others are the same as before.
  const [sent, setSent] = useState(0);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q')).trim();
    await navigate({ to: '/search', search: readSearch({ ...search, q }) });
    if (filterWordsIn(q).length > 0) setSent((before) => before + 1);
  };
  return (
    <PageBody title={search.q === undefined ? t('title') : t('titleFor', { text: search.q })}>
      <search>
        <CheckedForm onSubmit={submit} className={styles.field} key={`${sent} ${search.q}`}>
          <TextField
            label={t('words')}
            name="q"
            type="search"
            // What a message holds can be searched for alone.
            required={search.has === undefined}
            maxLength={200}
            defaultValue={search.q}
            autoFocus={search.q === undefined}
          />
          <Button type="submit" look="primary">
            <SearchIcon size={16} aria-hidden />
            {t('submit')}
          </Button>
        </CheckedForm>
      </search>
      <Filters search={search} narrow={narrow} />
      <div aria-live="polite">
        {isSearch(search) ? <Results search={search} /> : <Hints search={search} />}
      </div>
    </PageBody>
  );
}

/** On a phone they are folded behind one button: what was found stands below. */
function Filters({ search, narrow }: { search: Search; narrow: (change: Search) => void }) {
  const t = useTranslations('search');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { author, team, subject, with: people, has, from, to } = search;
  const count = [author, team ?? people, subject, has, from, to].filter((one) => one !== undefined).length;
  return (
    <>
      <Button
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal size={16} aria-hidden />
        {count === 0 ? t('filters') : t('filtersInUse', { count })}
      </Button>
      <div id={id} className={`${styles.filters} ${isOpen ? '' : styles.folded}`}>
        <AuthorFilter author={search.author} choose={(author) => narrow({ author })} />
        <Select
          label={t('team')}
          value={search.with === undefined ? (search.team ?? '') : 'with'}
          onChange={({ target }) => narrow({ team: target.value, subject: undefined, with: undefined })}
        >
          <option value="">{t('anyTeam')}</option>
          {search.with !== undefined && <Between people={search.with} />}
          {memberships.map(({ team }) => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </Select>
        {team !== undefined && (
          <SubjectFilter team={team} subject={subject} choose={(id) => narrow({ subject: id })} />
        )}
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
    </>
  );
}

/** The subjects of the team that is searched, where it has some. */
function SubjectFilter(props: {
  team: string;
  subject: string | undefined;
  choose: (subject: string) => void;
}) {
  const { team, subject = '', choose } = props;
  const t = useTranslations('search');
  const { data: subjects = [] } = useQuery(subjectsQuery(team));
  if (subjects.length === 0) return null;
  return (
    <Select label={t('subject')} value={subject} onChange={({ target }) => choose(target.value)}>
      <option value="">{t('anySubject')}</option>
      {subjects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** The conversation that is searched. */
function Between({ people }: { people: string }) {
  const { data: me } = useQuery(meQuery);
  const { data: conversation } = useQuery(conversationQuery(people));
  const nameOf = useNameOfConversation(me?.id ?? '');
  return <option value="with">{conversation ? nameOf(conversation) : '…'}</option>;
}

function Hints({ search }: { search: Search }) {
  const t = useTranslations('search');
  const isNarrowed = Object.keys(search).length > 0;
  return (
    <Empty icon={SearchIcon} title={t('hintTitle')}>
      <p>{isNarrowed ? t('hintNarrowed', { has: t('has') }) : t('hint')}</p>
    </Empty>
  );
}

/** Whether something else than the words keeps messages out. */
const narrows = ({ q, ...filters }: Search): boolean => q !== undefined && Object.keys(filters).length > 0;

/** Nothing was found with these filters: the words alone may find something. */
function Wider({ q }: { q: string | undefined }) {
  const t = useTranslations('search');
  const navigate = useNavigate();
  return (
    <>
      <p>{t('nothingHere')}</p>
      <Button onClick={() => void navigate({ to: '/search', search: readSearch({ q }) })}>
        {t('wider')}
      </Button>
    </>
  );
}

/** Of words that look like filters, and stand for none: where the filters are. */
function ByName({ q }: { q: string | undefined }) {
  const t = useTranslations('search');
  const format = useFormatter();
  const written = filterWordsIn(q);
  if (written.length === 0) return null;
  const filters = [t('by'), t('team'), t('has'), t('from'), t('to')];
  return (
    <p>
      {t('noFilter', {
        words: format.list(written),
        filters: format.list(filters, { type: 'disjunction' }),
      })}
    </p>
  );
}

/** The parts of a message that a result shows: reactions are none of them. */
const shownOf = ({ text, subject, attachments = [] }: Partial<Message>): string =>
  JSON.stringify([text, subject, attachments.map((item) => (item as { id?: string } | null)?.id)]);

/** Reads again what was found where it is edited or deleted, or out of the reader's sight. */
function useChanges(found: readonly Message[]): void {
  const latest = useRef(found);
  latest.current = found;
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: SEARCHES });
    const ends = [
      onLive('message.updated', ({ message }) => {
        const known = latest.current.find(({ id }) => id === message.id);
        if (known && shownOf(known) !== shownOf(message)) refresh();
      }),
      onLive('team.members', ({ user }) => {
        if (user === queryClient.getQueryData(meQuery.queryKey)?.id) refresh();
      }),
      onLive('team.updated', ({ change }) => change !== 'changed' && refresh()),
      onLive('ready', refresh),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

function Results({ search }: { search: Search }) {
  const t = useTranslations('search');
  const common = useTranslations('common');
  const query = useInfiniteQuery(searchQuery(search));
  useChanges(query.data?.pages.flatMap(({ data }) => data) ?? []);
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const found = pages.flatMap(({ data, meta }) =>
          data.map((message) => ({ message, snippet: meta.snippets?.[message.id] })),
        );
        if (found.length === 0)
          return (
            <Empty icon={SearchX} title={t('nothing')}>
              <ByName q={search.q} />
              {narrows(search) ? <Wider q={search.q} /> : <p>{t('nothingHint')}</p>}
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
