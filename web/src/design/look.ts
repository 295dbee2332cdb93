import { keepPreference, readPreference } from '../storage/preferences.ts';

/**
 * How the page looks in this browser. Each choice is an attribute of the root, which the style sheets read; the first
 * value is the usual one.
 */
export const LOOKS = {
  /** Colours are given as `light-dark()`: the root's scheme decides. */
  theme: ['system', 'light', 'dark'],
  /** The size of text, and the space between lines and messages. */
  density: ['comfortable', 'compact'],
} as const;
type Looks = typeof LOOKS;
export type Look = keyof Looks;
export type LookOf<Which extends Look> = Looks[Which][number];

export function readLook<Which extends Look>(which: Which): LookOf<Which> {
  const values: readonly LookOf<Which>[] = LOOKS[which];
  return values.find((value) => value === readPreference(which)) ?? (values[0] as LookOf<Which>);
}

export function applyLooks(): void {
  for (const which of Object.keys(LOOKS) as Look[]) document.documentElement.dataset[which] = readLook(which);
}

export function chooseLook<Which extends Look>(which: Which, value: LookOf<Which>): void {
  keepPreference(which, value);
  applyLooks();
}
