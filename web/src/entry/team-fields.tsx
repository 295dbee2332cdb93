import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TeamIcon } from '../design/avatar.tsx';
import { TextField } from '../design/field.tsx';
import styles from './team-fields.module.css';

const COLORS = {
  blue: '#1f6feb',
  sky: '#0e8fc4',
  teal: '#0f8f82',
  green: '#2e8b46',
  yellow: '#e3b505',
  orange: '#e2711d',
  red: '#d1383d',
  pink: '#d6498f',
  purple: '#7f56d9',
  grey: '#64707d',
} as const;
type ColorName = keyof typeof COLORS;
const NAMES = Object.keys(COLORS) as ColorName[];
const ICONS = ['⚙️', '🚀', '🌱', '🎨', '📦', '🔬', '📚', '☕', '🏠', '⚽'];

/** By the first letter: teams differ at once, and the colour does not change with each key. */
function colorOf(name: string): string {
  const letter = name.trim().toLowerCase().codePointAt(0);
  return letter === undefined ? COLORS.blue : COLORS[NAMES[letter % NAMES.length] ?? 'blue'];
}

/** Name, colour and icon of a team, and how they look together. Their controls' names are those of POST /v1/teams. */
export function TeamFields({ errorOf }: { errorOf: (field: string) => string | undefined }) {
  const t = useTranslations('entry.welcome.team');
  const [name, setName] = useState('');
  const [icon, setIcon] = useState('');
  const [chosen, setColor] = useState<string>();
  const color = chosen ?? colorOf(name);
  return (
    <>
      <div className={styles.look}>
        <TeamIcon team={{ name: name.trim() || '?', color, icon: icon.trim() }} size="large" />
        <TextField
          label={t('name')}
          name="name"
          required
          maxLength={100}
          placeholder={t('example')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorOf('name')}
        />
      </div>
      <fieldset className={styles.choices}>
        <legend>{t('color')}</legend>
        {NAMES.map((one) => (
          <label key={one} className={styles.color} title={t(`colors.${one}`)}>
            <input
              type="radio"
              name="color"
              value={COLORS[one]}
              checked={color === COLORS[one]}
              onChange={() => setColor(COLORS[one])}
            />
            <span style={{ backgroundColor: COLORS[one] }} aria-hidden="true" />
            <span className="visually-hidden">{t(`colors.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      <TextField
        label={t('icon')}
        name="icon"
        maxLength={16}
        hint={t('iconHint')}
        value={icon}
        onChange={(event) => setIcon(event.target.value)}
        error={errorOf('icon')}
      />
      <div className={styles.choices}>
        {ICONS.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.icon}
            aria-pressed={icon === one}
            onClick={() => setIcon(icon === one ? '' : one)}
          >
            {one}
          </button>
        ))}
      </div>
    </>
  );
}
