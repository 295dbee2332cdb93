import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import styles from './folded-text.module.css';

/** Texts that take about twice the height to which they are folded, or more. */
const LONG_CHARACTERS = 1800;
const LONG_LINES = 24;

/** Of blocks, whose JSON is several times what they show. */
const LONG_BLOCKS = 12;
const LONG_JSON = 12_000;

export const isLong = (text: string) => text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES;
export const areLong = (blocks: readonly unknown[]) =>
  blocks.length > LONG_BLOCKS || JSON.stringify(blocks).length > LONG_JSON;

/** The messages that the reader has unfolded: a row that leaves the view is made anew when it comes back. */
const unfolded = new Set<string>();

/** A long text shows its beginning, and all of it when asked for. */
export function FoldedText({ id, isLong, children }: { id: string; isLong: boolean; children: ReactNode }) {
  const t = useTranslations('members.message');
  const content = useId();
  const [open, setOpen] = useState(unfolded.has(id));
  if (!isLong) return children;
  const change = (next: boolean) => {
    if (next) unfolded.add(id);
    else unfolded.delete(id);
    setOpen(next);
  };
  // The browser scrolls to what it has found in the page, and to a link that gets the focus.
  const reveal = ({ currentTarget, target }: SyntheticEvent) => {
    if (currentTarget === target && currentTarget.scrollTop > 0) change(true);
  };
  return (
    <>
      <div id={content} className={open ? undefined : styles.folded} onScroll={reveal}>
        {children}
      </div>
      <Button
        small
        look="quiet"
        className={styles.more}
        aria-expanded={open}
        aria-controls={content}
        onClick={() => change(!open)}
      >
        {t(open ? 'less' : 'more')}
      </Button>
    </>
  );
}
