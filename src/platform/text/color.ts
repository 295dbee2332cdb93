import names from 'color-name';

const HEX = /^#[0-9a-f]{6}$/;

/**
 * A colour as #rrggbb: given like that, or by its CSS name (CSS Color Module Level 4, §6.1) in any case, also with
 * hyphens between its words, as hot-pink.
 * @returns undefined for another text
 */
export function hexColor(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (HEX.test(lower)) return lower;
  const name = lower.replaceAll('-', '');
  if (!/^[a-z]/.test(lower) || !Object.hasOwn(names, name)) return undefined;
  const channels = names[name as keyof typeof names];
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
