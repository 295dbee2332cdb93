import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { refusal } from '../api/client.ts';
import { Avatar } from '../design/avatar.tsx';
import { TextField } from '../design/field.tsx';
import { nameOf } from '../design/person.tsx';
import styles from './administration.module.css';
import { type Account, accountsQuery } from './queries.ts';

const SHOWN = 8;

interface Picked {
  readonly person: Account | undefined;
  readonly pick: (person: Account) => void;
  /** @throws ApiError that the field shows */
  required(): Account;
}

/** The person chosen in a `PersonPicker`. */
export function usePicked(): Picked {
  const t = useTranslations('administration.pick');
  const [person, pick] = useState<Account>();
  const required = () => {
    if (person) return person;
    throw refusal(400, { code: 4002, reason: 'person', message: t('required') });
  };
  return { person, pick, required };
}

/** Finds one of all accounts by name or address. */
export function PersonPicker({ picked, error }: { picked: Picked; error: string | undefined }) {
  const t = useTranslations('administration.pick');
  const [text, setText] = useState('');
  const { data } = useInfiniteQuery(accountsQuery(useDeferredValue(text.trim())));
  const found = data?.pages[0]?.data.filter(({ active }) => active).slice(0, SHOWN) ?? [];
  const chosen = picked.person && { name: nameOf(picked.person) };
  return (
    <div className={styles.tight}>
      <TextField
        label={t('person')}
        name="person"
        type="search"
        required
        autoComplete="off"
        hint={t('hint')}
        error={error}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className={styles.options}>
        <legend className="visually-hidden">{t('person')}</legend>
        {found.map((person) => (
          <label key={person.id} className={styles.option}>
            <input
              type="radio"
              className="visually-hidden"
              checked={picked.person?.id === person.id}
              onChange={() => picked.pick(person)}
            />
            <Avatar person={person} size="small" />
            <span>
              {nameOf(person)} <span className={styles.soft}>{person.email}</span>
            </span>
          </label>
        ))}
        {data && found.length === 0 && <p>{t('none')}</p>}
      </fieldset>
      <p role="status">{chosen && t('chosen', chosen)}</p>
    </div>
  );
}
