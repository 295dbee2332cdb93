import { type Static, Type } from 'typebox';
import { flag, oneOf, optional, part, shape, text } from './shape.ts';

/** A text object of at most so many characters. */
const plain = (most: number, id = '') => shape(id, 'plain_text', { text: text(most), emoji: flag });
const mrkdwn = (most: number, id = '') => shape(id, 'mrkdwn', { text: text(most), verbatim: flag });

/** Every text object has one of these lengths. */
const LENGTHS = [30, 75, 100, 150, 200, 300, 2000, 3000] as const;
type Length = (typeof LENGTHS)[number];

const plainTexts = new Map(LENGTHS.map((most) => [most, plain(most, `PlainText${most}`)]));
const mrkdwnTexts = new Map(LENGTHS.map((most) => [most, mrkdwn(most, `Mrkdwn${most}`)]));

export const textShapes = [...plainTexts.values(), ...mrkdwnTexts.values()];

export const PlainText = (most: Length) => oneOf([plainTexts.get(most) as ReturnType<typeof plain>]);
export const AnyText = (most: Length) =>
  oneOf([
    plainTexts.get(most) as ReturnType<typeof plain>,
    mrkdwnTexts.get(most) as ReturnType<typeof mrkdwn>,
  ]);

export type PlainText = Static<ReturnType<typeof plain>>;
export type TextObject = PlainText | Static<ReturnType<typeof mrkdwn>>;

/** Asked before what an element does is done. */
export const Confirm = part({
  title: optional(PlainText(100)),
  text: AnyText(300),
  confirm: optional(PlainText(30)),
  deny: optional(PlainText(30)),
  style: optional(Type.Enum(['primary', 'danger'])),
});
export type Confirm = Static<typeof Confirm>;
