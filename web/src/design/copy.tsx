import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button.tsx';
import styles from './copy.module.css';
import { tell } from './toast.tsx';

const SHOWN_MS = 2000;

/** Something to take along: an id, a link, some lines of a program. @param props.name what it is, for the label */
export function Copyable({ text, name }: { text: string; name: string }) {
  const t = useTranslations('common');
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    tell(t('copied'));
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  const Shown = text.includes('\n') ? 'pre' : 'code';
  return (
    <div className={`${styles.copy} ${Shown === 'pre' ? styles.block : ''}`}>
      <Shown tabIndex={0}>{text}</Shown>
      <IconButton small label={`${t('copy')}: ${name}`} onClick={() => void copy()}>
        {done ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
      </IconButton>
    </div>
  );
}
