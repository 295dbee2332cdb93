import { useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { retold } from '../text/failure.ts';

/** How the server says what is wrong with a name (src/integration/applications/commands.ts). */
const SENTENCES = {
  'must begin with a letter, and have letters, digits, - and _ alone': 'signs',
  'is taken, or looks like a name that is': 'taken',
  'looks like another one of these': 'alike',
  'must have letters of one alphabet, not lookalikes': 'alphabets',
  'is there twice': 'twice',
  'must have something to read': 'unseen',
} as const;

const isSentence = (message: string): message is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, message);

/** @returns a function that tells a refusal of commands and shortcuts in the reader's words */
export function useNamedErrors(): (error: unknown) => unknown {
  const t = useTranslations('developers.named');
  return (error) => {
    if (!(error instanceof ApiError)) return error;
    const told = Object.entries(error.fields).flatMap(([field, message]) =>
      isSentence(message) ? [[field, t(SENTENCES[message])]] : [],
    );
    return retold(error, Object.fromEntries(told));
  };
}
