import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocale } from 'use-intl';
import { chosenTone, recentEmoji, rememberEmoji } from '../../emoji/chosen.ts';
import { type CustomEmoji, customEmojiQuery } from '../../emoji/custom-emoji.ts';
import { EmojiImage } from '../../emoji/custom-emoji-image.tsx';
import { emojiNamed, findEmoji, inTone, type NamedEmoji } from '../../emoji/named-emoji.ts';
import { namedEmojiQuery } from '../../emoji/queries.ts';
import styles from './composer.module.css';
import type { Suggestion } from './suggestion.ts';

/** The length of the list. */
const SUGGESTED = 8;

/** @param typed the beginning of a name behind a colon */
export function useEmojiSuggestions(typed: string | undefined): readonly Suggestion[] {
  const { data = [] } = useQuery({ ...namedEmojiQuery(useLanguage()), enabled: typed !== undefined });
  const { data: custom = [] } = useQuery({ ...customEmojiQuery, enabled: typed !== undefined });
  return useMemo(() => {
    if (typed === undefined) return [];
    return [...suggestCustom(custom, typed), ...suggest(data, typed)].slice(0, SUGGESTED);
  }, [data, custom, typed]);
}

/** Those of the server whose names begin as typed. */
function suggestCustom(all: readonly CustomEmoji[], typed: string): Suggestion[] {
  const found = all.filter(({ name }) => name.startsWith(typed.toLowerCase()));
  return found.map((emoji) => ({
    key: emoji.name,
    text: `:${emoji.name}:`,
    shown: (
      <>
        <span aria-hidden className={styles.picture}>
          <EmojiImage emoji={emoji} decorative />
        </span>
        <bdi>:{emoji.name}:</bdi>
      </>
    ),
  }));
}

const useLanguage = () => useLocale().slice(0, 2);

function suggest(all: readonly NamedEmoji[], typed: string): Suggestion[] {
  const tone = chosenTone();
  return findEmoji(all, typed, recentEmoji(), SUGGESTED).map(({ emoji, name }) => {
    const text = inTone(emoji, tone);
    return {
      key: emoji.text,
      text,
      shown: (
        <>
          <span aria-hidden className={styles.picture}>
            {text}
          </span>
          <bdi>{emoji.label}</bdi>
          {name !== undefined && <bdi className={styles.detail}>:{name}:</bdi>}
        </>
      ),
      onChosen: () => rememberEmoji(text),
    };
  });
}

/**
 * @returns what gives the emoji of a name, in the reader's skin tone, to a function: at once where the emoji are loaded, else
 * later; and never for a name that none has
 */
export function useEmojiByName(): (name: string, then: (emoji: string) => void) => void {
  const client = useQueryClient();
  const query = namedEmojiQuery(useLanguage());
  return (name, then) => {
    const give = (all: readonly NamedEmoji[]) => {
      const emoji = emojiNamed(all, name);
      if (emoji) then(inTone(emoji, chosenTone()));
    };
    const loaded = client.getQueryData(query.queryKey);
    if (loaded) return give(loaded);
    // Without the names, the text stays as it was typed.
    client.fetchQuery(query).then(give, () => undefined);
  };
}
