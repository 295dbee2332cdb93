import { signal } from '../api/signal.ts';

/** The window of the shell that is open. */
export const shellWindow = signal<'jump' | 'shortcuts' | undefined>(undefined);

export const openJump = () => shellWindow.set('jump');
export const showShortcuts = () => shellWindow.set('shortcuts');
