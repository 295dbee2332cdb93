import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, type TextareaHTMLAttributes, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { connectionsBefore, connectionsQuery } from '../../api/queries.ts';
import type { UserSummary } from '../../api/types.ts';
import { Avatar } from '../../design/avatar.tsx';
import { nameOf } from '../../design/person.tsx';
import styles from './composer.module.css';

/** An @ and the beginning of a name, right before the cursor. */
const BEGUN = /(?<![\w.@+-])@([\p{L}\p{M}\p{N}._-]{0,40})$/u;

export interface Mentions {
  readonly id: string;
  readonly people: readonly UserSummary[];
  readonly active: number;
  readonly wiring: TextareaHTMLAttributes<HTMLTextAreaElement>;
  choose(person: UserSummary): void;
  /** @returns whether the list has handled the key */
  onKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
  onChange(): void;
  close(): void;
}

/** Suggests people after an @. The focus stays in the text (ARIA 1.2, aria-activedescendant). */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): Mentions {
  const id = useId();
  const [begun, setBegun] = useState<string>();
  const [active, setActive] = useState(0);
  const { data } = useQuery({
    ...connectionsQuery(begun ?? ''),
    enabled: begun !== undefined,
    placeholderData: connectionsBefore(begun ?? ''),
  });
  const people: readonly UserSummary[] = begun === undefined ? [] : (data ?? []);
  const close = () => setBegun(undefined);
  const choose = (person: UserSummary) => {
    const at = field.current?.selectionStart ?? text.length;
    const start = at - (begun?.length ?? 0) - 1;
    const mention = `@${person.username} `;
    setText(text.slice(0, start) + mention + text.slice(at));
    close();
    const end = start + mention.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end));
  };
  const onKey = (event: KeyboardEvent) => {
    const person = people[active];
    if (!person) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % people.length);
    else if (event.key === 'ArrowUp') setActive((active + people.length - 1) % people.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(person);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  const onChange = () => {
    const { value, selectionStart } = field.current ?? { value: '', selectionStart: 0 };
    setBegun(BEGUN.exec(value.slice(Math.max(0, selectionStart - 64), selectionStart))?.[1]);
    setActive(0);
  };
  const open = people.length > 0;
  // The cursor may have left the name that the suggestions are for.
  const onSelect = () => {
    if (begun !== undefined) onChange();
  };
  const wiring = {
    onSelect,
    'aria-autocomplete': 'list' as const,
    'aria-controls': open ? id : undefined,
    'aria-activedescendant': open ? `${id}-${active}` : undefined,
  };
  return { id, people, active, wiring, choose, onKey, onChange, close };
}

export function MentionList({ mentions: { id, people, active, choose } }: { mentions: Mentions }) {
  const t = useTranslations('members.composer');
  if (people.length === 0) return null;
  return (
    <div id={id} role="listbox" aria-label={t('mention')} className={styles.mentions}>
      {people.map((person, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
        <div
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.person}
          // The text field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(person)}
        >
          <Avatar person={person} size="small" presence />
          <bdi>{nameOf(person)}</bdi>
          <bdi className={styles.left}>@{person.username}</bdi>
          {person.title && <span className={styles.personTitle}>{person.title}</span>}
        </div>
      ))}
    </div>
  );
}
