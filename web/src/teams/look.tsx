import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { hexColor } from '#platform/text/color.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { changesOf } from '../design/changes.ts';
import { TextArea, TextField } from '../design/field.tsx';
import styles from './teams.module.css';

/** Colours that are told apart in both themes; what stands on them has enough contrast on each (WCAG 1.4.3). */
const COLORS = {
  blue: '#1f6feb',
  teal: '#0f766e',
  green: '#1a7f37',
  olive: '#6b7a0f',
  orange: '#b4540a',
  red: '#c4372c',
  pink: '#bf3989',
  purple: '#7c4dd6',
  slate: '#57606a',
} as const;
const NAMES = Object.keys(COLORS) as (keyof typeof COLORS)[];
export const FIRST_COLOR = COLORS.blue;

interface Look {
  readonly name: string;
  readonly color: string;
  readonly icon: string;
  readonly description: string;
}

/**
 * The fields for a team's name, colour, icon and description, with how they look together.
 * @param props.start when it changes, as by another admin, the fields that were not edited here follow it
 */
export function LookFields(props: { start: Look; errorOf: (field: string) => string | undefined }) {
  const { start, errorOf } = props;
  const t = useTranslations('teams.look');
  const [edited, setEdited] = useState<Partial<Look>>({});
  const [begun, setBegun] = useState(start);
  if (Object.keys(changesOf(begun, start)).length > 0) {
    setBegun(start);
    // Fields that are saved by now are as in the team.
    setEdited(changesOf(start, { ...start, ...edited }));
  }
  const look = { ...start, ...edited };
  const change = (part: Partial<Look>) => setEdited({ ...edited, ...part });
  return (
    <>
      <div className={styles.preview}>
        <TeamIcon team={look} size="large" />
        <div>
          <p className={styles.previewName}>{look.name || t('unnamed')}</p>
          <p className={styles.soft}>{t('preview')}</p>
        </div>
      </div>
      <TextField
        label={t('name')}
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        value={look.name}
        onChange={(event) => change({ name: event.target.value })}
        error={errorOf('name')}
      />
      <ColorChoice color={look.color} onChange={(color) => change({ color })} />
      <TextField
        label={t('icon')}
        name="icon"
        hint={t('iconHint')}
        maxLength={20}
        autoComplete="off"
        value={look.icon}
        onChange={(event) => change({ icon: event.target.value })}
        error={errorOf('icon')}
      />
      <TextArea
        label={t('description')}
        name="description"
        hint={t('descriptionHint')}
        maxLength={500}
        rows={2}
        value={look.description}
        onChange={(event) => change({ description: event.target.value })}
        error={errorOf('description')}
      />
    </>
  );
}

function ColorChoice({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  const shown = hexColor(color) ?? FIRST_COLOR;
  const t = useTranslations('teams.look');
  return (
    <fieldset className={styles.colors}>
      <legend>{t('color')}</legend>
      {NAMES.map((name) => (
        <input
          key={name}
          type="radio"
          name="palette"
          className={styles.swatch}
          style={{ background: COLORS[name] }}
          aria-label={t(`colors.${name}`)}
          title={t(`colors.${name}`)}
          checked={shown === COLORS[name]}
          onChange={() => onChange(COLORS[name])}
        />
      ))}
      <label className={styles.ownColor}>
        <input type="color" value={shown} onChange={(event) => onChange(event.target.value)} />
        {t('ownColor')}
      </label>
      {/* A name that the colour was given by is kept until another colour is chosen. */}
      <input type="hidden" name="color" value={color} />
    </fieldset>
  );
}

/** The values of the fields, in the form that the server takes. */
export const lookOf = ({ name = '', color = '', icon = '', description = '' }: Record<string, string>) => ({
  name: name.trim(),
  color,
  icon: icon.trim(),
  description: description.trim(),
});
