import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { type CustomEmoji, isName, lookFor, useCustomEmoji } from './custom-emoji.ts';
import styles from './custom-emoji-image.module.css';

/** A custom emoji; its first frame for people who prefer less motion. */
export function EmojiImage({ emoji, decorative = false }: { emoji: CustomEmoji; decorative?: boolean }) {
  const text = `:${emoji.name}:`;
  return (
    <picture>
      {emoji.animated && <source media="(prefers-reduced-motion: reduce)" srcSet={emoji.still_url} />}
      <img
        className={styles.image}
        src={emoji.url}
        alt={decorative ? '' : text}
        title={text}
        loading="lazy"
        draggable={false}
      />
    </picture>
  );
}

type Known = ReturnType<typeof useCustomEmoji>;

const KnownEmoji = createContext<Known>(undefined);

/** Asks for the emoji once for all names in it: a text may hold thousands. */
export const WithEmoji = ({ children }: { children: ReactNode }) => (
  <KnownEmoji value={useCustomEmoji()}>{children}</KnownEmoji>
);

/** A custom emoji by the name between its colons, or else the text as it was written. Shown within `WithEmoji`. */
export function EmojiByName({ name }: { name: string }) {
  const known = useContext(KnownEmoji);
  const emoji = known?.get(name);
  const isUnknown = known !== undefined && emoji === undefined;
  useEffect(() => {
    if (isUnknown) lookFor(name);
  }, [isUnknown, name]);
  return emoji ? <EmojiImage emoji={emoji} /> : `:${name}:`;
}

/** A reaction: an emoji, or the name of a custom one. */
export const EmojiSign = ({ emoji }: { emoji: string }) =>
  isName(emoji) ? (
    <WithEmoji>
      <EmojiByName name={emoji} />
    </WithEmoji>
  ) : (
    emoji
  );

/** The same as a text. */
export const emojiText = (emoji: string): string => (isName(emoji) ? `:${emoji}:` : emoji);
