import {
  Bold,
  Code,
  Eye,
  Italic,
  Link,
  List,
  ListOrdered,
  SquareCode,
  Strikethrough,
  TextQuote,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../design/button.tsx';
import { keyName } from '../../shell/shortcuts.ts';
import styles from './composer.module.css';
import { FORMATS, type FormatName } from './formats.ts';
import { type Formatting, PREVIEW_KEY } from './use-formatting.ts';

const ICONS: Readonly<Record<FormatName, typeof Bold>> = {
  bold: Bold,
  italic: Italic,
  strike: Strikethrough,
  link: Link,
  quote: TextQuote,
  numbers: ListOrdered,
  bullets: List,
  code: Code,
  block: SquareCode,
};

/** What each of them does, and whether it stays pressed. */
function useTools({ field, previewing, togglePreview }: Formatting) {
  const formats = (Object.keys(ICONS) as FormatName[]).map((name) => ({
    name,
    Icon: ICONS[name],
    key: FORMATS[name].key as string,
    run: () => field.current && FORMATS[name].apply(field.current),
    pressed: undefined as boolean | undefined,
  }));
  const preview = { name: 'preview' as const, Icon: Eye, key: PREVIEW_KEY, run: togglePreview };
  return [...formats, { ...preview, pressed: previewing }];
}

/** The buttons at a field to write in: one stop of the Tab key, and the arrow keys lead from one to the next. */
export function FormatTools({ formatting }: { formatting: Formatting }) {
  const t = useTranslations('members.format');
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const tools = useTools(formatting);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const last = tools.length - 1;
    const next = { Home: 0, End: last, ArrowLeft: at - 1, ArrowRight: at - 1, [forward]: at + 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const place = (next + tools.length) % tools.length;
    setAt(place);
    bar.current?.querySelectorAll('button')[place]?.focus();
  };
  return (
    <div ref={bar} role="toolbar" aria-label={t('title')} className={styles.formats} onKeyDown={onKeyDown}>
      {tools.map(({ name, Icon, key, run, pressed }, place) => (
        <IconButton
          key={name}
          small
          label={t(name)}
          data-hint={`${t(name)} (${keyName(key)})`}
          aria-pressed={pressed}
          tabIndex={place === at ? 0 : -1}
          onFocus={() => setAt(place)}
          // The field keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={run}
        >
          <Icon size={16} aria-hidden />
        </IconButton>
      ))}
    </div>
  );
}
