import { Check, Copy as CopyIcon } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button.tsx';
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

/** Without HTTPS there is no clipboard API: the text is selected and copied by command. */
async function put(text: string, shown: RefObject<HTMLElement | null>): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  if (shown.current) getSelection()?.selectAllChildren(shown.current);
  document.execCommand('copy');
}
