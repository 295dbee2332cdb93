import { useQuery } from '@tanstack/react-query';
import { EmojiPicker } from 'frimousse';
import { useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '../design/button.tsx';
import { chosenTone, keepTone, recentEmoji, rememberEmoji, type Tone } from './chosen.ts';
import { type CustomEmoji, customEmojiQuery, useMayAdd } from './custom-emoji.ts';
import { EmojiImage } from './custom-emoji-image.tsx';
import { emojiData } from './emoji-data.ts';
import styles from './emoji-picker.module.css';

const NONE: readonly CustomEmoji[] = [];
const COLUMNS = 8;

/** The library counts rows and columns from 0, where ARIA counts from 1 (WAI-ARIA 1.2, section 6.6). */
const fromOne = <Name extends 'aria-rowindex' | 'aria-colindex'>(
  name: Name,
  props: Partial<Record<Name, number>>,
) => ({
  [name]: (props[name] ?? 0) + 1,
});

/**
 * Every emoji, found by its name or other words for it.
 * @param props.onChoose gets an emoji, or the name of one of the server's between colons
 * @param props.onAdd opens what adds one, for those who may
 */
export function Picker(props: { onChoose: (emoji: string) => void; onAdd: () => void }) {
  const query = useQuery(customEmojiQuery);
  // Without them, all others are there.
  const own = query.data ?? (query.isError ? NONE : undefined);
  const t = useTranslations('members.emoji');
  // The library reads its data once.
  return own ? (
    <PickerOf key={own.map(({ name }) => name).join()} {...props} own={own} />
  ) : (
    <p>{t('loading')}</p>
  );
}

function PickerOf(props: {
  onChoose: (emoji: string) => void;
  onAdd: () => void;
  own: readonly CustomEmoji[];
}) {
  const { onChoose, onAdd, own } = props;
  const t = useTranslations('members.emoji');
  const language = useLocale();
  const [tone, setTone] = useState(chosenTone);
  const mayAdd = useMayAdd();
  const byText = useMemo(() => new Map(own.map((one) => [`:${one.name}:`, one])), [own]);
  const [chosen] = useState(() => recentEmoji().filter((one) => !one.startsWith(':') || byText.has(one)));
  const [data] = useState(() =>
    emojiData(
      own.map(({ name }) => name),
      t('own'),
    ),
  );
  const sign = (text: string) => {
    const emoji = byText.get(text);
    return emoji ? <EmojiImage emoji={emoji} decorative /> : text;
  };
  const choose = (emoji: string) => {
    rememberEmoji(emoji);
    onChoose(emoji);
  };
  return (
    <EmojiPicker.Root
      className={styles.picker}
      locale={language.slice(0, 2)}
      columns={COLUMNS}
      skinTone={tone}
      resolveEmojiData={data}
      onEmojiSelect={({ emoji }) => choose(emoji)}
    >
      <div className={styles.head}>
        <EmojiPicker.Search
          className={styles.search}
          aria-label={t('search')}
          placeholder={t('search')}
          autoFocus
        />
        <EmojiPicker.SkinTone emoji="✋">
          {({ skinTone, setSkinTone, skinToneVariations }) => (
            <select
              className={styles.tone}
              aria-label={t('tone')}
              value={skinTone}
              onChange={({ target }) => {
                const next = target.value as Tone;
                setSkinTone(next);
                setTone(next);
                keepTone(next);
              }}
            >
              {skinToneVariations.map(({ skinTone: one, emoji }) => (
                <option key={one} value={one}>
                  {emoji}
                </option>
              ))}
            </select>
          )}
        </EmojiPicker.SkinTone>
      </div>
      {chosen.length > 0 && (
        <fieldset className={styles.recent} aria-label={t('recent')}>
          {chosen.slice(0, COLUMNS).map((emoji) => (
            <button
              key={emoji}
              type="button"
              className={styles.emoji}
              {...(byText.has(emoji) && { 'aria-label': emoji })}
              onClick={() => choose(emoji)}
            >
              {sign(emoji)}
            </button>
          ))}
        </fieldset>
      )}
      <EmojiPicker.Viewport className={styles.viewport}>
        <EmojiPicker.Loading className={styles.state}>{t('loading')}</EmojiPicker.Loading>
        <EmojiPicker.Empty className={styles.state}>{t('none')}</EmojiPicker.Empty>
        <EmojiPicker.List
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div {...props} className={styles.category}>
                {category.label}
              </div>
            ),
            Row: (props) => <div {...props} {...fromOne('aria-rowindex', props)} />,
            Emoji: ({ emoji, ...props }) => (
              <button
                {...props}
                {...fromOne('aria-colindex', props)}
                type="button"
                className={styles.emoji}
                data-active={emoji.isActive || undefined}
              >
                {sign(emoji.emoji)}
              </button>
            ),
          }}
        />
      </EmojiPicker.Viewport>
      <div className={styles.foot}>
        <p className={styles.name} aria-live="polite">
          <EmojiPicker.ActiveEmoji>
            {({ emoji }) => (emoji ? [...new Set([emoji.emoji, emoji.label])].join(' ') : ' ')}
          </EmojiPicker.ActiveEmoji>
        </p>
        {mayAdd && (
          <Button small look="quiet" onClick={onAdd}>
            {t('add.title')}
          </Button>
        )}
      </div>
    </EmojiPicker.Root>
  );
}
