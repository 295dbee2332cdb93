import { type KeyboardEvent, type RefObject, useState } from 'react';
import { signal } from '../../api/signal.ts';
import { hasLittleRoom } from '../../design/hands.ts';
import { pressedKey } from '../../shell/shortcuts.ts';
import { keepPreference, readPreference } from '../../storage/preferences.ts';
import { formatByKey } from './formats.ts';

export const PREVIEW_KEY = 'Mod+Shift+e';

const NAME = 'formatting';
/** This browser's choice, for all fields. */
const choice = signal(readPreference(NAME));

/** Whether the buttons are shown: not on a phone, until they are asked for. */
const isShown = (chosen: string | null) => (chosen === null ? !hasLittleRoom() : chosen === 'shown');

/** What a field to write in has for formatting: its keys, the buttons, and a preview. */
export function useFormatting(field: RefObject<HTMLTextAreaElement | null>) {
  const shown = isShown(choice.useValue());
  const [previewing, setPreviewing] = useState(false);
  const toggle = () => {
    choice.set(shown ? 'hidden' : 'shown');
    keepPreference(NAME, choice.get());
  };
  const togglePreview = () => setPreviewing((before) => !before);
  /** @returns whether the key was one of these */
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (pressedKey(event.nativeEvent) !== PREVIEW_KEY) return formatByKey(event);
    togglePreview();
    event.preventDefault();
    return true;
  };
  return { field, shown, toggle, previewing, togglePreview, endPreview: () => setPreviewing(false), onKey };
}

export type Formatting = ReturnType<typeof useFormatting>;
