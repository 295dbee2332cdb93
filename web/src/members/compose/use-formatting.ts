import { type KeyboardEvent, type RefObject, useState } from 'react';
import { signal } from '../../api/signal.ts';
import { hasLittleRoom, isSendKey } from '../../design/hands.ts';
import { pressedKey } from '../../shell/shortcuts.ts';
import { keepPreference, readPreference } from '../../storage/preferences.ts';
import { formatByKey } from './formats.ts';
import { continueList } from './new-line.ts';

export const PREVIEW_KEY = 'Mod+Shift+e';

const isNewLine = (event: KeyboardEvent) => event.key === 'Enter' && !event.altKey && !isSendKey(event);

const NAME = 'formatting';
/** This browser's choice, for all fields. */
const choice = signal(readPreference(NAME));

/**
 * What a field to write in has for formatting: its keys, the buttons, and a preview.
 * @param roomy whether the buttons are shown until one has chosen, though not on a phone
 */
export function useFormatting(field: RefObject<HTMLTextAreaElement | null>, roomy: boolean) {
  const chosen = choice.useValue();
  const shown = chosen === null ? roomy && !hasLittleRoom() : chosen === 'shown';
  const [previewing, setPreviewing] = useState(false);
  const toggle = () => {
    choice.set(shown ? 'hidden' : 'shown');
    keepPreference(NAME, choice.get());
  };
  const togglePreview = () => setPreviewing((before) => !before);
  /** @returns whether the key was one of these */
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (isNewLine(event) && continueList(event.currentTarget)) event.preventDefault();
    else if (pressedKey(event.nativeEvent) !== PREVIEW_KEY) return formatByKey(event);
    else {
      togglePreview();
      event.preventDefault();
    }
    return true;
  };
  return { field, shown, toggle, previewing, togglePreview, endPreview: () => setPreviewing(false), onKey };
}

export type Formatting = ReturnType<typeof useFormatting>;
