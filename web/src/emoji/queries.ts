import { queryOptions } from '@tanstack/react-query';
import { loadWords } from './emoji-data.ts';
import { type NamedEmoji, namedEmoji } from './named-emoji.ts';

/**
 * Every emoji of Unicode with its names and words in a language: what `:name:` completes and stands for. The files have some
 * 70 KiB, so they are loaded when the first name is begun.
 */
export const namedEmojiQuery = (language: string) =>
  queryOptions({
    queryKey: ['emoji', language],
    queryFn: async (): Promise<readonly NamedEmoji[]> => {
      const [words, { default: names }] = await Promise.all([
        loadWords(language),
        import('#platform/text/emoji-names.json'),
      ]);
      return namedEmoji(words, names);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
