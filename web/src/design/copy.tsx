import { Check, Copy as CopyIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button.tsx';
import styles from './copy.module.css';
import { tell } from './toast.tsx';

const SHOWN_MS = 2000;

/** Something to take along: an id, a link, some lines of a program. @param props.name what it is, for the label */
export function Copyable({ text, name }: { text: string; name: string }) {
  const t = useTranslations('common');
  const [done, setDone] = useState(false);
  const shown = useRef<HTMLPreElement>(null);
  const copy = async () => {
    // Not on HTTPS: what is selected can be copied all the same.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!copySelected(shown.current as HTMLElement)) return;
    tell(t('copied'));
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  const Shown = text.includes('\n') ? 'pre' : 'code';
  return (
    <div className={`${styles.copy} ${Shown === 'pre' ? styles.block : ''}`}>
      {/* A long one is moved with the keyboard (WCAG 2.1.1). */}
      <Shown ref={shown} tabIndex={0}>
        {text}
      </Shown>
      <IconButton small label={`${t('copy')}: ${name}`} onClick={() => void copy()}>
        {done ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
      </IconButton>
    </div>
  );
}

/** @returns whether the browser did it; if not, the text stays selected */
function copySelected(element: HTMLElement): boolean {
  getSelection()?.selectAllChildren(element);
  return document.execCommand('copy');
}
