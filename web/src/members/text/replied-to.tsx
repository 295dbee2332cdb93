import { useQuery } from '@tanstack/react-query';
import { MessageSquareReply } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { shorten } from '#platform/text/plain-text.ts';
import { nameOf } from '../../design/person.tsx';
import { UnmarkedLink } from '../../design/unmarked-link.tsx';
import { findMessage, useFromMessages } from '../state/messages.ts';
import { quoteQuery } from '../state/quotes.ts';
import { useSaid } from './said.ts';
import styles from './text.module.css';

const FIRST_WORDS = 100;

/**
 * Below a message that repeats a reply: to what that replied, in one line, as the reader may see it now. The line stands
 * there from the beginning, so nothing moves when the words come.
 */
export function RepliedTo({ reply }: { reply: string }) {
  const t = useTranslations('members.message');
  const said = useSaid();
  const root = useQuoted(useQuoted(reply)?.reply_to);
  return (
    <p className={styles.repliedTo} dir="auto">
      <MessageSquareReply size={14} aria-hidden />
      <UnmarkedLink to="/messages/$message" params={{ message: reply }}>
        {root
          ? t('repliedTo', { name: nameOf(root.author), text: shorten(said(root), FIRST_WORDS) })
          : t('repliedToThread')}
      </UnmarkedLink>
    </p>
  );
}

function useQuoted(id: string | undefined) {
  const { data } = useQuery({ ...quoteQuery(id ?? ''), enabled: id !== undefined });
  return useFromMessages(() => findMessage(data?.ids[0]));
}
