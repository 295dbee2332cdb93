import type en from './en/index.ts';

/** A language's texts: the same tree of keys as the English ones, each text in ICU MessageFormat. */
export type Texts = Shape<typeof en>;
type Shape<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Shape<T[Key]> };
