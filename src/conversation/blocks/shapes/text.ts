import { type Static, Type } from 'typebox';
import { flag, of, oneOf, optional, part, shape, text } from './shape.ts';

/** A text of at most so many characters. */
const plain = (most: number) => shape(`PlainText${most}`, 'plain_text', { text: text(most), emoji: flag });
const any = (most: number) =>
  oneOf(`Text${most}`, [
    shape(`PlainTextOf${most}`, 'plain_text', { text: text(most), emoji: flag }),
    shape(`Mrkdwn${most}`, 'mrkdwn', { text: text(most), verbatim: flag }),
  ]);

/** Each made once. */
function once<T>(make: (most: number) => T): (most: number) => T {
  const made = new Map<number, T>();
  return (most) => {
    const known = made.get(most) ?? make(most);
    made.set(most, known);
    return known;
  };
}

const plainOf = once(plain);
/** Without formatting. */
export const PlainText = (most: number) => of(plainOf(most));
/** With Slack's formatting, or without any. */
export const AnyText = once(any);

export type PlainText = Static<ReturnType<typeof plain>>;
export type TextObject = Static<ReturnType<typeof any>>;

/** Asked before what an element does is done. */
export const Confirm = of(
  part('Confirm', {
    title: optional(PlainText(100)),
    text: AnyText(300),
    confirm: optional(PlainText(30)),
    deny: optional(PlainText(30)),
    style: optional(Type.Enum(['primary', 'danger'])),
  }),
);
export type Confirm = Static<typeof Confirm>;
