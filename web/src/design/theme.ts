export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const CHOICE = 'parley.theme';

export function readTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(CHOICE)) ?? 'system';
}

/** Colours are given as `light-dark()`: the root's scheme decides. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(CHOICE, theme);
  applyTheme(theme);
}
