import { ArrowUpRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { outsideUrl } from '../../api/outside.ts';
import { Button, ButtonAnchor } from '../../design/button.tsx';
import { useAction } from './element-value.tsx';
import styles from './elements.module.css';
import type { ElementOf } from './values.ts';
import { plainOf } from './words.tsx';

const LOOKS = { primary: 'primary', danger: 'danger' } as const;

export function ButtonElement({ element }: { element: ElementOf<'button'> }) {
  const { text, url, value, style, accessibility_label } = element;
  const { isAble, isBusy, tell, dialog } = useAction(element);
  const name = plainOf(text);
  const look = style ? LOOKS[style] : 'secondary';
  if (url !== undefined) return <LinkButton name={name} url={url} look={look} />;
  return (
    <>
      <Button
        small
        look={look}
        className={styles.button as string}
        busy={isBusy}
        disabled={!isAble}
        {...labelOf(name, accessibility_label)}
        onClick={() => tell({ value })}
      >
        <bdi>{name}</bdi>
      </Button>
      {dialog}
    </>
  );
}

/** A name that lacks the visible text could not be spoken to a computer (WCAG 2.5.3). */
export const labelOf = (name: string, label: string | undefined) =>
  label === undefined ? {} : { 'aria-label': label.includes(name) ? label : `${name}: ${label}` };

/** Leads to where its host says, in a tab of its own. */
function LinkButton({
  name,
  url,
  look,
}: {
  name: string;
  url: string;
  look: 'primary' | 'secondary' | 'danger';
}) {
  const t = useTranslations('blocks');
  const safe = outsideUrl(url);
  const host = URL.parse(url)?.host ?? '';
  if (safe === undefined)
    return (
      <Button small disabled className={styles.button as string}>
        {name}
      </Button>
    );
  return (
    <ButtonAnchor
      small
      look={look}
      className={styles.button as string}
      href={safe}
      target="_blank"
      rel="noopener noreferrer"
      data-hint={host}
    >
      <bdi>{name}</bdi>
      <span className="visually-hidden">({t('opens', { host })})</span>
      <bdi className={styles.host} data-host aria-hidden>
        {host}
      </bdi>
      <ArrowUpRight size={14} aria-hidden />
    </ButtonAnchor>
  );
}
