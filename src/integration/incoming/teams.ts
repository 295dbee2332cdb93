import { hexColor, strong } from '#platform/text/index.ts';
import { type Card, type Ending, type Fact, writeCard, writeEnding } from './card.ts';
import { at, type Fields, fieldsOf, joined, lineOf, linked, listOf, textOf, valueText } from './payload.ts';
import { restOf } from './rest.ts';
import { itemsOf } from './room.ts';
import { markdownText, untagged } from './texts.ts';

const ADAPTIVE = 'application/vnd.microsoft.card.adaptive';

/** Microsoft Teams: connectors send a MessageCard, workflows an Adaptive Card. */
export function readTeams(payload: Fields): Card | undefined {
  if (
    payload['@type'] === 'MessageCard' ||
    /schema\.org\/extensions/.test(textOf(payload['@context'])) ||
    hasSections(payload)
  )
    return readMessageCard(payload);
  if (payload.type === 'AdaptiveCard') return adaptiveCard(payload);
  const cards = itemsOf(listOf(payload.attachments).map(fieldsOf).filter(isTeamsCard));
  if (cards.length === 0) return undefined;
  return {
    title: '',
    text: joined([htmlText(payload.summary), htmlText(payload.text)]),
    cards: cards.map(({ content, contentType }) =>
      contentType === ADAPTIVE || at(content, 'type') === 'AdaptiveCard'
        ? adaptiveCard(fieldsOf(content))
        : readHeroCard(fieldsOf(content)),
    ),
  };
}

const hasSections = ({ sections }: Fields) =>
  listOf(sections).some(
    (one) => at(one, 'activityTitle') !== undefined || listOf(at(one, 'facts')).length > 0,
  );

const isTeamsCard = ({ contentType, content }: Fields) =>
  textOf(contentType).startsWith('application/vnd.microsoft') || at(content, 'type') === 'AdaptiveCard';

/** Teams takes some HTML in its texts, beside Markdown. */
const htmlText = (value: unknown): string => markdownText(untagged(textOf(value)));

const OF_CARD =
  /^(?:@type|@context|type|themeColor|summary|title|text|sections|potentialAction|correlationId|originator|hideOriginalBody|version|\$schema)$/;
const OF_SECTION =
  /^(?:activityTitle|activitySubtitle|activityText|activityImage|title|text|facts|images|heroImage|potentialAction|markdown|startGroup)$/;

/** https://learn.microsoft.com/outlook/actionable-messages/message-card-reference */
function readMessageCard(card: Fields): Card {
  const first = htmlText(at(listOf(card.sections)[0], 'activityTitle'));
  const summary = htmlText(card.summary);
  // Where there is no title, the summary often repeats what follows.
  const title = htmlText(card.title) || (summary === first ? '' : summary);
  const actions = itemsOf(card.potentialAction).map(readAction);
  return {
    title: strong(title),
    color: hexColor(textOf(card.themeColor).replace(/^(?=[0-9a-f]{6}$)/i, '#')),
    text: htmlText(card.text),
    cards: [
      ...itemsOf(card.sections).map((section) => readSection(fieldsOf(section))),
      { title: '', endings: actions },
      { title: '', rest: restOf(card, (path) => OF_CARD.test(path)) },
    ],
  };
}

function readSection(section: Fields): Card {
  return {
    title: joined([strong(htmlText(section.title)), htmlText(section.activityTitle)]),
    author: htmlText(section.activitySubtitle),
    text: joined([htmlText(section.activityText), htmlText(section.text)]),
    fields: factsOf(section.facts),
    rest: restOf(section, (path) => OF_SECTION.test(path)),
    endings: [
      ...itemsOf(section.images).map((image) => pictureAt(lineOf(at(image, 'title')), at(image, 'image'))),
      ...itemsOf(section.potentialAction).map(readAction),
    ],
  };
}

const factsOf = (facts: unknown): Fact[] =>
  itemsOf(facts).map((fact) => {
    const { name, title, value } = fieldsOf(fact);
    return {
      name: (lineOf(name) || lineOf(title)).replace(/:$/, ''),
      value: typeof value === 'string' ? htmlText(value) : valueText(value),
    };
  });

const pictureAt = (name: string, url: unknown): Ending => ({ is: 'picture', name, url });
const buttonTo = (name: string, url: unknown): Ending => ({ is: 'button', name, url });

/** A button that opens a page. */
function readAction(value: unknown): Ending {
  const { name, title, url, target, targets } = fieldsOf(value);
  const address =
    textOf(url) || textOf(at(listOf(targets)[0], 'uri')) || textOf(listOf(target)[0]) || textOf(target);
  return buttonTo(lineOf(name) || lineOf(title), address);
}

/** The cards of bots: https://learn.microsoft.com/adaptive-cards/ is the newer one. */
function readHeroCard(card: Fields): Card {
  return {
    title: strong(htmlText(card.title)),
    author: htmlText(card.subtitle),
    text: htmlText(card.text),
    fields: factsOf(card.facts),
    cards: itemsOf(card.sections).map((section) => readSection(fieldsOf(section))),
    endings: itemsOf(card.buttons).map((button) =>
      buttonTo(lineOf(at(button, 'title')), at(button, 'value')),
    ),
  };
}

function adaptiveCard({ body, actions, fallbackText }: Fields): Card {
  const card: Card = {
    title: '',
    text: joined(itemsOf(body).map(readElement)),
    endings: itemsOf(actions).map(readAdaptiveAction),
  };
  return writeCard(card) === '' ? { title: '', text: htmlText(fallbackText) } : card;
}

const readAdaptive = (card: Fields): string => writeCard(adaptiveCard(card));

/** What an element looks like, and no reader misses. */
const LOOKS =
  /^(?:\$schema|type|id|size|weight|color|wrap|isSubtle|spacing|separator|style|horizontalAlignment|verticalContentAlignment|width|height|bleed|isVisible|fontType|maxLines|targetWidth|minHeight|columns|items|body|facts|inlines|images|rows|cells|actions|text|url|altText|selectAction|fallback|requires|grid\.area|firstRowAsHeaders|showGridLines|gridStyle|roundedCorners|rtl|pages|codeSnippet|language|label|placeholder|sources|content|isRequired|errorMessage|isMultiline|mode)(?:\.|$)/;

/** What stands in for an element, where it is not known. */
const isKnownElement = ({ type, fallback }: Fields) =>
  typeof fallback !== 'object' || fallback === null || KNOWN.test(textOf(type));
const KNOWN =
  /^(?:TextBlock|RichTextBlock|Container|ColumnSet|Column|FactSet|Image|ImageSet|Table|TableCell|ActionSet|Media|CodeBlock|Carousel|CarouselPage|Badge|Input\.\w+|)$/;

/** A part of a line, with the blanks at its ends. */
const runOf = (value: unknown) => (typeof value === 'string' ? value : textOf(value));

/** https://adaptivecards.io/explorer */
function readElement(value: unknown): string {
  const element = fieldsOf(value);
  const isTitle = element.weight === 'Bolder' || element.weight === 'bolder' || element.style === 'heading';
  const text = htmlText(element.text);
  const columns = itemsOf(element.columns);
  // The columns of a table say nothing by themselves.
  const cells = element.type === 'Table' ? [] : columns.map(readElement);
  return joined([
    isTitle && !text.includes('\n') ? strong(text) : text,
    itemsOf(element.inlines)
      .map((inline) => runOf(typeof inline === 'string' ? inline : at(inline, 'text')))
      .join(''),
    joined(cells, cells.some((cell) => cell.includes('\n')) ? '\n' : ' '),
    ...itemsOf(element.items).map(readElement),
    // Of a carousel, of an accordion.
    ...[...itemsOf(element.pages), ...itemsOf(element.content)].map(readElement),
    typeof element.codeSnippet === 'string' ? `\`\`\`\n${valueText(element.codeSnippet)}\n\`\`\`` : '',
    joined([htmlText(element.label), htmlText(element.placeholder)], ': '),
    ...itemsOf(element.rows).map((row) => joined(itemsOf(at(row, 'cells')).map(readElement), ' | ')),
    writeCard({
      title: '',
      fields: factsOf(element.facts),
      rest: restOf(element, (path) => LOOKS.test(path)),
    }),
    ...itemsOf(element.images).map(readElement),
    linked(lineOf(element.altText), element.url || at(listOf(element.sources)[0], 'url')),
    isKnownElement(element) ? '' : readElement(element.fallback),
    linked('', at(element.selectAction, 'url')),
    ...itemsOf(element.actions).map(readAdaptiveAction).map(writeEnding),
  ]);
}

function readAdaptiveAction(value: unknown): Ending {
  const { title, url, card } = fieldsOf(value);
  const button = buttonTo(lineOf(title), url);
  return card === undefined ? button : joined([writeEnding(button), readAdaptive(fieldsOf(card))]);
}
