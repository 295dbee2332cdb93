import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { keepPreference, readPreference } from '../storage/preferences.ts';
import styles from './navigation.module.css';

interface SectionProps<T> {
  /** By which the browser remembers whether the person has folded it. */
  readonly keptAs: string;
  readonly name: string;
  readonly heading: ReactNode;
  readonly add: ReactNode;
  readonly places: readonly T[];
  /** What stays in sight when the section is folded: where something is new, and where one is. */
  readonly stays: (place: T) => boolean;
  readonly children: (place: T) => ReactNode;
}

/** A list of places under a heading that folds it. Nothing new is ever folded away. */
export function Section<T>(props: SectionProps<T>) {
  const { keptAs, name, heading, add, places, stays, children } = props;
  const t = useTranslations('shell');
  const list = useId();
  const [folded, setFolded] = useState(() => readPreference(keptAs) === 'folded');
  const toggle = () => {
    keepPreference(keptAs, folded ? null : 'folded');
    setFolded(!folded);
  };
  return (
    <div>
      <div className={styles.heading}>
        <button
          type="button"
          className={styles.fold}
          aria-label={t('section', { name })}
          aria-expanded={!folded}
          aria-controls={list}
          onClick={toggle}
        >
          <ChevronDown size={14} aria-hidden />
        </button>
        <h2>{heading}</h2>
        {add}
      </div>
      <ul className={styles.list} id={list}>
        {places.filter((place) => !folded || stays(place)).map(children)}
      </ul>
    </div>
  );
}
