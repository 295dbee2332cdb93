import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { personQuery } from '../api/queries.ts';
import { PeopleField } from '../design/people-field.tsx';
import { nameOf } from '../design/person.tsx';

/** The author filter: one person, or anyone. */
export function AuthorFilter({
  author,
  choose,
}: {
  author: string | undefined;
  choose: (id: string) => void;
}) {
  const t = useTranslations('search');
  const { data: person } = useQuery({ ...personQuery(author ?? ''), enabled: author !== undefined });
  const chosen =
    author === undefined
      ? []
      : [{ kind: 'person' as const, id: author, name: person ? nameOf(person) : t('somebody') }];
  // A new choice replaces the previous one.
  return (
    <PeopleField label={t('by')} chosen={chosen} onChange={(people) => choose(people.at(-1)?.id ?? '')} />
  );
}
