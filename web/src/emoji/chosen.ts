import { keepPreference, readPreference } from '../storage/preferences.ts';

const MOST_RECENT = 16;
const RECENT = 'emoji.recent';
const TONE = 'emoji.tone';

/** From light to dark, as in the files of emoji. */
export const TONES = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;
export type Tone = 'none' | (typeof TONES)[number];

/** The emoji that were chosen last in this browser, the newest first, in the tone that they were chosen in. */
export const recentEmoji = (): readonly string[] => readPreference(RECENT)?.split(' ') ?? [];

export function rememberEmoji(emoji: string): void {
  keepPreference(RECENT, [...new Set([emoji, ...recentEmoji()])].slice(0, MOST_RECENT).join(' '));
}

export const chosenTone = (): Tone => (readPreference(TONE) ?? 'none') as Tone;

export const keepTone = (tone: Tone): void => keepPreference(TONE, tone === 'none' ? null : tone);
