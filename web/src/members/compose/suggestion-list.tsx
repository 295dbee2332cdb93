import {
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
  type TextareaHTMLAttributes,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { rememberEmoji } from '../../emoji/chosen.ts';
import { type BegunWord, begunWord, closedName } from './begun-word.ts';
import { useCommandSuggestions } from './command-suggestions.tsx';
import type { CommandScope } from './commands.ts';
import styles from './composer.module.css';
import { useEmojiByName, useEmojiSuggestions } from './emoji-suggestions.tsx';
import { usePersonSuggestions } from './person-suggestions.tsx';
import { putText } from './put-text.ts';
import type { Suggestion } from './suggestion.ts';

export interface Suggestions {
  readonly id: string;
  readonly sign: BegunWord['sign'] | undefined;
  readonly all: readonly Suggestion[];
  readonly active: number;
  /** For the text field. */
  readonly wiring: TextareaHTMLAttributes<HTMLTextAreaElement>;
  choose(one: Suggestion): void;
  /** @returns whether the list has handled the key */
  onKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
  /** To be called when the text has been taken over. */
  onChange(event: ChangeEvent<HTMLTextAreaElement>): void;
}

/**
 * Suggests people behind an @, those of the team first, emoji behind a colon, and commands behind a slash, and puts the emoji
 * in place of a name between two colons. The focus stays in the text (ARIA 1.2, aria-activedescendant).
 * @param commands where what is written may be a command
 */
export function useSuggestions(
  field: RefObject<HTMLTextAreaElement | null>,
  team?: string,
  commands?: Partial<CommandScope>,
): Suggestions {
  const id = useId();
  const [word, setWord] = useState<BegunWord>();
  const [active, setActive] = useState(0);
  /** Where the word is whose list was closed. */
  const closed = useRef<number>(undefined);
  /** Where a name is that nobody has, so that what follows it is no name either. */
  const nobody = useRef<number>(undefined);
  const { people, isNobody } = usePersonSuggestions(word?.sign === '@' ? word.typed : undefined, team);
  const emoji = useEmojiSuggestions(word?.sign === ':' ? word.typed : undefined);
  const emojiByName = useEmojiByName();
  /** The place of the last word that something was put in place of. */
  const replaced = useRef<readonly [start: number, end: number]>(undefined);
  const named = useCommandSuggestions(
    commands && word?.sign === '/' ? word.typed : undefined,
    commands ?? NOWHERE,
  );
  const all = word === undefined ? [] : { '@': people, ':': emoji, '/': named }[word.sign];

  const read = () => {
    const { current } = field;
    if (!current) return;
    const { value, selectionStart, selectionEnd } = current;
    const next = selectionStart === selectionEnd ? begunWord(value, selectionStart) : undefined;
    if (isNobody) nobody.current = word?.start;
    if (next?.start !== nobody.current || !next?.typed.includes(' ')) nobody.current = undefined;
    // A sign alone begins another word, although it may be in the same place, as after sending.
    if (next?.start !== closed.current || next?.typed === '') closed.current = undefined;
    setWord(closed.current === undefined && nobody.current === undefined ? next : undefined);
    setActive(0);
  };
  const put = (current: HTMLTextAreaElement, start: number, end: number, text: string) => {
    replaced.current = [start, end];
    putText(current, start, end, text);
  };
  /** The word that undo brings back is selected, and the next letter would delete it. */
  const goOnBehind = (current: HTMLTextAreaElement) => {
    const [start, end] = replaced.current ?? [];
    if (end === undefined || current.selectionStart !== start || current.selectionEnd !== end) return;
    current.setSelectionRange(end, end);
  };
  const close = () => {
    closed.current = word?.start;
    setWord(undefined);
  };
  const choose = (one: Suggestion) => {
    const { current } = field;
    if (!current || !word) return;
    close();
    put(current, word.start, current.selectionStart, one.text);
    one.onChosen?.();
  };
  const replaceName = () => {
    const { current } = field;
    if (!current) return;
    const written = closedName(current.value, current.selectionStart);
    if (!written) return;
    const { name, start } = written;
    const end = current.selectionStart;
    emojiByName(name, (text) => {
      // Somebody may have written on until the names were loaded.
      if (current.value.slice(start, end) !== `:${name}:` || !current.isConnected) return;
      const cursor = current.selectionStart;
      put(current, start, end, text);
      const now = cursor < end ? cursor : cursor + text.length - (end - start);
      current.setSelectionRange(now, now);
      rememberEmoji(text);
      // The cursor is in the word that was begun meanwhile again.
      read();
    });
  };
  const onKey = (event: KeyboardEvent) => {
    const one = all[active];
    // What is typed next begins elsewhere.
    if (!one && event.key === 'Enter') setWord(undefined);
    if (!one || event.shiftKey) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % all.length);
    else if (event.key === 'ArrowUp') setActive((active + all.length - 1) % all.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(one);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  const onChange = ({ nativeEvent, target }: ChangeEvent<HTMLTextAreaElement>) => {
    if ((nativeEvent as InputEvent).inputType === 'historyUndo') goOnBehind(target);
    read();
    if (isTyped(nativeEvent, ':')) replaceName();
  };
  const open = all.length > 0;
  const wiring = {
    // The cursor may have left the word that the suggestions are for.
    onSelect: () => {
      if (word) read();
    },
    onBlur: () => setWord(undefined),
    'aria-autocomplete': 'list' as const,
    'aria-controls': open ? id : undefined,
    'aria-activedescendant': open ? `${id}-${active}` : undefined,
  };
  return { id, sign: word?.sign, all, active, wiring, choose, onKey, onChange };
}

const NOWHERE: Partial<CommandScope> = {};

const LABELS = {
  '@': 'members.composer.mention',
  ':': 'members.emoji.title',
  '/': 'shell.commands.title',
} as const;

/** Behind the rounded corner. */
const EDGE = 6;

/** Whether an event is of a key, and neither of an input method that is still composing nor of pasting or undoing. */
const isTyped = (event: Event, sign: string): boolean =>
  event instanceof InputEvent &&
  event.inputType === 'insertText' &&
  !event.isComposing &&
  event.data?.endsWith(sign) === true;

export function SuggestionList({ suggestions }: { suggestions: Suggestions }) {
  const { id, sign, all, active, choose } = suggestions;
  const t = useTranslations();
  const { list, isBelow } = usePlace(all.length);
  useLayoutEffect(() => {
    if (all.length > 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [list, all, active]);
  if (all.length === 0) return null;
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t(LABELS[sign ?? '@'])}
      className={`${styles.suggestions} ${isBelow ? styles.below : ''}`}
    >
      {all.map((one, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
        <div
          key={one.key}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.suggestion}
          // The text field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(one)}
        >
          {one.shown}
        </div>
      ))}
    </div>
  );
}

/**
 * A list stands above its field, where the page does not jump. The field of an edit may be the first thing of what scrolls: then
 * the list is below it.
 */
function usePlace(length: number) {
  const list = useRef<HTMLDivElement>(null);
  const [isBelow, setBelow] = useState(false);
  useLayoutEffect(() => {
    if (!list.current) setBelow(false);
    else if (length > 0 && isCut(list.current)) setBelow(true);
  }, [length]);
  return { list, isBelow };
}

/** Whether something hides the upper end of a list, and there is room below its field. */
function isCut(list: HTMLElement): boolean {
  const { left, top, height } = list.getBoundingClientRect();
  if (list.contains(document.elementFromPoint(left + EDGE, top + EDGE))) return false;
  const { bottom = 0 } = list.parentElement?.getBoundingClientRect() ?? {};
  return bottom + height < innerHeight;
}
