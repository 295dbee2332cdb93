import { Check, Copy as CopyIcon } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from './button.tsx';
import styles from './copy.module.css';
import { tell } from './toast.tsx';

const SHOWN_MS = 2000;

/** A text to copy: an id, a link, lines of code. @param props.name names it in the label */
export function Copyable({ text, name }: { text: string; name: string }) {
  const t = useTranslations('common');
  const [done, setDone] = useState(false);
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    await put(text, shown);
    tell(t('copied'));
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  const Shown = text.includes('\n') ? 'pre' : 'code';
  return (
    <div className={`${styles.copy} ${Shown === 'pre' ? styles.block : ''}`}>
      {/* A long one is moved with the keyboard (WCAG 2.1.1). */}
      <Shown tabIndex={0} ref={shown as RefObject<HTMLPreElement | null>}>
        {text}
      </Shown>
      <IconButton small label={`${t('copy')}: ${name}`} onClick={() => void copy()}>
        {done ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
      </IconButton>
    </div>
  );
}

/** Copies a text that stands in an element. */
export function ClipboardButton({ text, shown }: { text: string; shown: RefObject<HTMLElement | null> }) {
  const t = useTranslations('common');
  const copy = async () => {
    await put(text, shown);
    tell(t('copied'));
  };
  return (
    <Button small onClick={() => void copy()}>
      <CopyIcon size={16} aria-hidden />
      {t('copy')}
    </Button>
  );
}

/** Without HTTPS there is no clipboard API, and a browser may refuse it: then the text is selected and copied by command. */
async function put(text: string, { current }: RefObject<HTMLElement | null>): Promise<void> {
  try {
    return await navigator.clipboard.writeText(text);
  } catch {
    // The older way needs no permission.
  }
  if (current instanceof HTMLTextAreaElement) current.select();
  else if (current) getSelection()?.selectAllChildren(current);
  document.execCommand('copy');
}
