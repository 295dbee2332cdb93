import { strong } from '#platform/text/index.ts';
import type { Card } from './card.ts';
import { at, type Fields, fieldsOf, joined, lineOf, linked, listOf, textOf } from './payload.ts';
import { restOf } from './rest.ts';
import { itemsOf, roomFor } from './room.ts';
import { slackText, untagged } from './texts.ts';

/** Google Chat: https://developers.google.com/workspace/chat/api/reference/rest/v1/cards */
export function readGoogleChat(payload: Fields): Card | undefined {
  const cards = [
    ...listOf(payload.cardsV2).map((one) => fieldsOf(at(one, 'card'))),
    ...listOf(payload.cards).map(fieldsOf),
  ].filter((card) => card.sections !== undefined || card.header !== undefined);
  if (cards.length === 0) return undefined;
  return {
    title: '',
    text: slackText(payload.text),
    cards: [
      ...itemsOf(cards).map(readChatCard),
      {
        title: '',
        rest: restOf(payload, (path) => /^(?:text|cardsV2|cards|thread|fallbackText)$/.test(path)),
      },
    ],
  };
}

function readChatCard({ header, sections }: Fields): Card {
  return {
    title: strong(lineOf(at(header, 'title'))),
    author: lineOf(at(header, 'subtitle')),
    cards: itemsOf(sections).map((section) => ({
      title: strong(lineOf(at(section, 'header'))),
      text: joined(itemsOf(at(section, 'widgets')).map(readWidget)),
    })),
  };
}

const htmlText = (value: unknown) => roomFor(untagged(textOf(value)));

function readWidget(value: unknown): string {
  const widget = fieldsOf(value);
  const said = fieldsOf(widget.decoratedText ?? widget.keyValue);
  const buttons = [...itemsOf(at(widget.buttonList, 'buttons')), ...itemsOf(widget.buttons)];
  const known = new Set([
    'textParagraph',
    'decoratedText',
    'keyValue',
    'buttonList',
    'buttons',
    'image',
    'divider',
  ]);
  return joined([
    htmlText(at(widget.textParagraph, 'text')),
    joined(
      [
        lineOf(said.topLabel) && `${strong(lineOf(said.topLabel))}:`,
        htmlText(said.text ?? said.content),
        lineOf(said.bottomLabel),
      ],
      ' ',
    ),
    linked(lineOf(at(widget.image, 'altText')), at(widget.image, 'imageUrl')),
    ...buttons.map((one) => {
      const button = fieldsOf(at(one, 'textButton') ?? one);
      return linked(lineOf(button.text), at(button.onClick, 'openLink', 'url'));
    }),
    ...restOf(widget, (path) => known.has(path)).map(({ name, value: text }) => `${name}: ${text}`),
  ]);
}
