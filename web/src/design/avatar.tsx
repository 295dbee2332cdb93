import { type CSSProperties, useState } from 'react';
import { hexColor } from '#platform/text/color.ts';
import styles from './avatar.module.css';

const SIZES = {
  tiny: '1.125rem',
  small: '1.5rem',
  place: '1.75rem',
  normal: '2.25rem',
  large: '4.5rem',
} as const;
type Size = keyof typeof SIZES;

interface Pictured {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly online?: boolean;
  readonly images?: readonly { readonly icon: string; readonly square300: string }[];
}

/** A person's picture or initials. It is decorative: the name stands beside it. */
export function Avatar({
  person,
  size = 'normal',
  presence = false,
}: {
  person: Pictured;
  size?: Size;
  presence?: boolean;
}) {
  const picture = person.images?.[0];
  const source = size === 'large' ? picture?.square300 : picture?.icon;
  const online = presence && person.online === true;
  return (
    <span
      className={`${styles.avatar} ${online ? styles.online : ''}`}
      style={{ '--size': SIZES[size], '--hue': hueOf(person.id) } as CSSProperties}
      aria-hidden="true"
    >
      {source === undefined ? initialsOf(person) : <img src={source} alt="" />}
    </span>
  );
}

/** The fallback for an invalid colour. */
const FALLBACK_COLOR = '#57606a';

/** A team's icon on its colour, or its first letter. */
export function TeamIcon({
  team,
  size = 'small',
}: {
  team: { name: string; color: string; icon: string };
  size?: Size;
}) {
  const color = hexColor(team.color) ?? FALLBACK_COLOR;
  return (
    <span
      className={`${styles.avatar} ${styles.square} ${styles.team}`}
      style={
        {
          '--size': SIZES[size],
          '--team-color': color,
          '--team-ink': inkOn(color),
        } as CSSProperties
      }
      aria-hidden="true"
    >
      {team.icon ? team.icon : firstOf(team.name)}
    </span>
  );
}

/** An application's icon: a picture that the server has fetched from it, or an emoji. */
export function ApplicationIcon({
  application,
  size = 'normal',
}: {
  application: { id: string; name: string; icon: string };
  size?: Size;
}) {
  const [broken, setBroken] = useState(false);
  const isAddress = /^https?:\/\//.test(application.icon);
  const emoji = isAddress ? '' : application.icon;
  return (
    <span
      className={`${styles.avatar} ${styles.square} ${emoji ? styles.application : ''}`}
      style={{ '--size': SIZES[size], '--hue': hueOf(application.id) } as CSSProperties}
      aria-hidden="true"
    >
      {isAddress && !broken ? (
        <img src={application.icon} alt="" onError={() => setBroken(true)} />
      ) : (
        emoji || firstOf(application.name)
      )}
    </span>
  );
}

const letters = new Intl.Segmenter();

/** The first grapheme, which may be several code points, as in many emoji. */
function firstOf(name: string): string {
  const [first] = letters.segment(name.trim());
  return first?.segment ?? '';
}

/** Arabic letters side by side would be joined to a word. */
function initialsOf({ first_name, last_name }: Pictured): string {
  const initials = [first_name, last_name].map(firstOf);
  return initials.join(initials.some((one) => /\p{Script=Arabic}/u.test(one)) ? '\u200c' : '').toUpperCase();
}

/** Hues that the eye tells apart. */
const HUES = 12;

/** The same for the same id, on every screen. FNV-1a spreads ids that differ in few characters. */
function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return ((hash >>> 0) % HUES) * (360 / HUES);
}

/** Black or white, whichever has more contrast with a colour as #rrggbb (WCAG 2.2, relative luminance). */
function inkOn(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#111111' : '#ffffff';
}
