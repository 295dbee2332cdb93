import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/*
 * Text can be read in both themes: each colour of text on each ground on which the style sheets put it (WCAG 2.2 AA,
 * 1.4.3). Browser tests look at the light theme as it is drawn; what they saw holds in the dark one by this.
 */

/** What text needs, however small. */
const ENOUGH = 4.5;

const sheets = globSync('web/src/**/*.css').map((file) => readFileSync(file, 'utf8'));
const tokens = new Map(
  [...readFileSync('web/src/design/tokens.css', 'utf8').matchAll(/^ {2}(--[\w-]+):\s*([^;]+);/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  ),
);

/** Linear parts of red, green and blue. */
type Colour = readonly [number, number, number];
type Theme = 'light' | 'dark';

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

const bent = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);
const toSrgb = ([red, green, blue]: Colour): Colour => [bent(red), bent(green), bent(blue)];
const fromSrgb = ([red, green, blue]: Colour): Colour => [linear(red), linear(green), linear(blue)];

/** Björn Ottosson's Oklab. */
function fromOklab([L, a, b]: Colour): Colour {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const within = (part: number) => Math.min(1, Math.max(0, part));
  return [
    within(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    within(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    within(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function toOklab([red, green, blue]: Colour): Colour {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** A colour as the style sheets write one. @param hue for what takes its hue from elsewhere */
function colour(written: string, theme: Theme, hue = 0): Colour {
  const [, token] = /^var\((--[\w-]+)\)$/.exec(written) ?? [];
  if (token) return colour(tokens.get(token) ?? `no such token: ${token}`, theme, hue);
  const [, light, dark] = /^light-dark\((.+), ((?:#|oklch).+)\)$/.exec(written) ?? [];
  if (light && dark) return colour(theme === 'light' ? light : dark, theme, hue);
  const [, L, C] = /^oklch\((\S+) (\S+) var\(--hue\)\)$/.exec(written) ?? [];
  if (L) {
    const angle = (hue * Math.PI) / 180;
    return fromOklab([Number(L), Number(C) * Math.cos(angle), Number(C) * Math.sin(angle)]);
  }
  const [, space, one, share, other] =
    /^color-mix\(in (oklab|srgb), (\S+) (\d+)%, (\S+)\)$/.exec(written) ?? [];
  if (one && other) {
    const [into, from] = space === 'oklab' ? [toOklab, fromOklab] : [toSrgb, fromSrgb];
    const [first, second] = [into(colour(one, theme)), into(colour(other, theme))];
    const mixed = first.map(
      (part, at) => part * (Number(share) / 100) + (second[at] ?? 0) * (1 - Number(share) / 100),
    );
    return from(mixed as unknown as Colour);
  }
  const [, hex] = /^#([\da-f]{6})$/.exec(written) ?? [];
  if (!hex) throw new Error(`This test does not know how to read the colour ${written}`);
  return [0, 2, 4].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Colour;
}

const brightness = ([red, green, blue]: Colour) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, bright = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/** Veils, lines, dots, bars and knobs; and the colours of a team, whose ink follows from them. */
const NO_TEXT = new Set([
  'light-dark(#1d1d1f66, #000000a6)',
  'light-dark(#1f8f4d, #4fd08a)',
  '#fff',
  'var(--line-color)',
  'var(--line-strong)',
  'var(--team-color)',
  'var(--team-ink)',
  'var(--mark)',
  // Of alerts: a sign, and grounds that are below by their own names.
  'var(--tone)',
  'var(--tone-ground)',
]);

const ofTokens = (...names: string[]) => names.map((name) => `var(--${name})`);

/** A message to which a link leads. */
const MARKED = 'color-mix(in oklab, var(--marker) 45%, var(--surface))';
/** A message that calls the reader. */
const CALLING = 'color-mix(in oklab, var(--marker) 35%, var(--surface))';
const PLAIN = [
  ...ofTokens('ground', 'surface', 'surface-raised', 'surface-sunken', 'hover', 'selected', 'private'),
  MARKED,
  CALLING,
];
const FACE = 'light-dark(oklch(0.53 0.13 var(--hue)), oklch(0.5 0.12 var(--hue)))';
const LETTER = 'var(--on-accent)';
const declared = sheets.flatMap((text) => [
  ...text.matchAll(/^\s+(color|background)(?:-color)?:\s*([^;]+);/gm),
]);
const CODE = declared.flatMap(([, , value = '']) => (value.startsWith('light-dark(#') ? [value] : []));

/** Each colour of text, and the grounds on which it stands. */
const pairs: [texts: readonly string[], grounds: readonly string[]][] = [
  [ofTokens('ink', 'ink-soft', 'accent', 'danger', 'warning', 'success'), PLAIN],
  [ofTokens('ink', 'danger'), ofTokens('danger-ground')],
  [ofTokens('ink', 'warning'), ofTokens('warning-ground')],
  [ofTokens('ink', 'success'), ofTokens('success-ground')],
  [ofTokens('ink'), ofTokens('marker')],
  [ofTokens('on-accent'), ofTokens('accent-solid', 'accent-hover', 'danger-solid')],
  [ofTokens('ground'), ofTokens('ink')],
  [CODE.filter((value) => !NO_TEXT.has(value)), ofTokens('surface-sunken')],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it('every text stands out from its ground', () => {
    const faint = pairs.flatMap(([texts, grounds]) =>
      texts.flatMap((text) =>
        grounds
          .map((ground) => [text, ground, contrast(colour(text, theme), colour(ground, theme))] as const)
          .filter(([, , found]) => found < ENOUGH),
      ),
    );
    expect(faint).toEqual([]);
  });

  it('a message that waits to be sent is faded, and still stands out', () => {
    const [, opacity] = /\.unsent \{\s*opacity: (0\.\d+);/.exec(sheets.join('\n')) ?? [];
    // Drawn over its ground: a mix of both, as they are written.
    const faded = `color-mix(in srgb, var(--ink) ${Number(opacity) * 100}%, var(--surface))`;
    expect(contrast(colour(faded, theme), colour('var(--surface)', theme))).toBeGreaterThan(ENOUGH);
  });

  it('letters stand out from a face of any hue', () => {
    const hues = Array.from({ length: 360 }, (_, hue) => hue);
    const faint = hues.filter(
      (hue) => contrast(colour(LETTER, theme, hue), colour(FACE, theme, hue)) < ENOUGH,
    );
    expect(faint).toEqual([]);
  });
});

it('the style sheets have no other colours', () => {
  const known = new Set([...pairs.flat(2), ...NO_TEXT, FACE, LETTER]);
  const unknown = declared
    .filter(
      ([, , value = '']) =>
        !/^(inherit|none|transparent|currentcolor|ButtonText|url\()/.test(value) && !known.has(value),
    )
    .map(([line]) => line.trim());
  expect(unknown).toEqual([]);
});
