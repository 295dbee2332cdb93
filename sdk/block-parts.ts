import { plain } from './block-words.ts';
import type { Block, Element } from './types.ts';

/** The fields that hold a text, wherever they stand. A bare string becomes one without formatting. */
const TEXTS = ['title', 'subtitle', 'body', 'hint', 'placeholder'] as const;
type Texts = (typeof TEXTS)[number];

type Typed = Block | Element;
/** The shape of a type. */
export type Of<K extends Typed['type']> = K extends Block['type']
  ? Extract<Block, { type: K }>
  : Extract<Element, { type: K }>;

/** The optional fields of a block or element. */
export type More<T, Given extends PropertyKey = never> = {
  [K in keyof Omit<T, 'type' | Given>]: K extends Texts ? T[K & keyof T] | string : T[K & keyof T];
};

/** The JSON of a shape. Its fields are those of the reference, by their names. */
export function shape<T extends { type: string }>(type: T['type'], given: object, more: object): T {
  const texts = TEXTS.flatMap((name) => {
    const text = (more as Partial<Record<Texts, unknown>>)[name];
    return typeof text === 'string' ? [[name, plain(text)]] : [];
  });
  return { type, ...given, ...more, ...Object.fromEntries(texts) } as unknown as T;
}
