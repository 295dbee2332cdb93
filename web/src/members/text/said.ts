import { useTranslations } from 'use-intl';
import { plainText } from '#platform/text/plain-text.ts';
import type { Message } from '../../api/types.ts';
import { isDeleted } from '../state/message-list.ts';
import { repetitionIn } from '../state/references.ts';

/** @returns what gives the text of a message in one line */
export function useSaid(): (message: Message) => string {
  const t = useTranslations('members.message');
  return (message) => {
    if (isDeleted(message)) return t('deleted');
    const [object] = message.mentions;
    const { words } = repetitionIn(message) ?? { words: message.text };
    return plainText(words, object?.name, message.format).trim() || t('files');
  };
}
