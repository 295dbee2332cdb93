import type en from './en/index.ts';

/** A language's texts: the same tree of keys as the English ones, each text in ICU MessageFormat. */
export type Texts = Shape<typeof en>;

/** A part of the application whose texts are loaded with its views. */
export type TextPart = (typeof TEXT_PARTS)[number];
export const TEXT_PARTS = [
  'entry',
  'account',
  'blocks',
  'teams',
  'developers',
  'administration',
] as const satisfies (keyof Texts)[];

type Shape<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Shape<T[Key]> };
