import { asMarkdown, withEmoji } from '#platform/text/dialects.ts';
import type { TextObject } from '../../api/types.ts';
import { MessageText } from '../text/message-text.tsx';
import styles from './blocks.module.css';
import { useBlocks } from './context.ts';

/** A text object: a plain one as it was written, another one in Slack's formatting. */
export function Words({ text }: { text: TextObject }) {
  if (text.type === 'mrkdwn') return <Formatted text={asMarkdown(text.text, 'slack')} />;
  return (
    <p className={styles.plain} dir="auto">
      {plainOf(text)}
    </p>
  );
}

/** A text with the formatting of messages. */
export function Formatted({ text }: { text: string }) {
  const { message } = useBlocks();
  return <MessageText text={text} message={message} />;
}

interface Plain {
  readonly text: string;
  readonly emoji?: boolean;
}

/** What a plain text shows. */
export const plainOf = ({ text, emoji }: Plain): string => (emoji === false ? text : withEmoji(text));
