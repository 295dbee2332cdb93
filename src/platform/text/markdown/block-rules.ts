import type { MarkdownIt, ParserBlock, StateBlock } from 'markdown-it';
import MarkdownItParser from 'markdown-it';

type Rule = ReturnType<ParserBlock['ruler']['getRules']>[number];

/** Quotes and lists within each other. What is deeper stays text. */
export const MOST_DEEP = 12;
/** A larger table stays text. */
export const MOST_COLUMNS = 20;
export const MOST_ROWS = 100;
/** From here on a line is indented too far to begin anything. */
const TOO_FAR = 4;

const GREATER = 0x3e;
const [SPACE, TAB] = [0x20, 0x09];

/** What one reading of a text keeps. */
export interface Env {
  /** How many quotes and lists the line stands in. */
  depth: number;
  /** The line after a table that was refused. */
  noTableBefore: number;
  /** The line after quotes that quote nothing. */
  noQuoteBefore: number;
  /** The quote or list that is read, by number. */
  place: number;
  /** How many there were. */
  places: number;
  /** By sign and place: up to which line nothing closes code that such a row opens. */
  readonly unclosed: Map<string, { readonly until: number; readonly length: number }>;
}

/** A rule of the parser. Its own list of them has no names. */
function ruleOf(name: string): Rule {
  const [rule] = new MarkdownItParser('zero').enable(name).block.ruler.getRules('');
  return rule as Rule;
}

const lineOf = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] as number) + (state.tShift[line] as number), state.eMarks[line]);

const indentOf = (state: StateBlock, line: number) => (state.sCount[line] as number) - state.blkIndent;

/** Takes a line for what it is, and only where it is one: nothing that was written may vanish. */
const only =
  (form: RegExp, rule: Rule): Rule =>
  (state, line, end, silent) =>
    form.test(lineOf(state, line)) && rule(state, line, end, silent);

const nested =
  (rule: Rule): Rule =>
  (state, line, end, silent) => {
    const env = state.env as unknown as Env;
    if (env.depth >= MOST_DEEP) return false;
    const { depth, place } = env;
    env.depth += 1;
    env.places += 1;
    env.place = env.places;
    const is = rule(state, line, end, silent);
    Object.assign(env, { depth, place });
    return is;
  };

/** Each line goes on while it is not indented less: a sentence below a list is no part of its last item. */
const paragraph: Rule = (state, first, end) => {
  const ends = state.md.block.ruler.getRules('paragraph');
  const { parentType } = state;
  state.parentType = 'paragraph';
  let line = first + 1;
  while (line < end && !state.isEmpty(line) && indentOf(state, line) >= 0) {
    if (ends.some((rule) => rule(state, line, end, true))) break;
    line += 1;
  }
  state.parentType = parentType;
  state.line = line;
  state.push('paragraph_open', 'p', 1).map = [first, line];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(first, line, state.blkIndent, false).trimEnd();
  inline.map = [first, line];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  return true;
};

/** A quote is the lines that begin with its sign, and ends with the last of them. Signs that quote nothing are text. */
const quote: Rule = (state, first, end, silent) => {
  const isQuoted = (line: number) => {
    const indent = indentOf(state, line);
    const at = (state.bMarks[line] as number) + (state.tShift[line] as number);
    return (
      indent >= 0 &&
      indent < TOO_FAR &&
      at < (state.eMarks[line] as number) &&
      state.src.charCodeAt(at) === GREATER
    );
  };
  const env = state.env as unknown as Env;
  if (first < env.noQuoteBefore || !isQuoted(first)) return false;
  let last = first;
  while (last < end && isQuoted(last) && /^>\s*$/.test(lineOf(state, last))) last += 1;
  if (last === end || !isQuoted(last)) {
    env.noQuoteBefore = last;
    return false;
  }
  if (silent) return true;
  while (last < end && isQuoted(last)) last += 1;

  const marks = [state.bMarks, state.tShift, state.sCount, state.bsCount] as const;
  const before = marks.map((mark) => mark.slice(first, last));
  const { blkIndent, lineMax, parentType, listIndent } = state;
  for (let line = first; line < last; line += 1) withoutSign(state, line);
  Object.assign(state, { blkIndent: 0, lineMax: last, parentType: 'blockquote', listIndent: -1 });
  state.push('blockquote_open', 'blockquote', 1).map = [first, last];
  state.md.block.tokenize(state, first, last);
  state.push('blockquote_close', 'blockquote', -1);
  Object.assign(state, { blkIndent, lineMax, parentType, listIndent, line: last });
  for (const [at, mark] of marks.entries()) mark.splice(first, last - first, ...(before[at] as number[]));
  return true;
};

/** Moves the beginning of a line behind the sign and one space. */
function withoutSign(state: StateBlock, line: number): void {
  let start = (state.bMarks[line] as number) + (state.tShift[line] as number) + 1;
  let column = (state.sCount[line] as number) + 1;
  if (state.src.charCodeAt(start) === SPACE) {
    start += 1;
    column += 1;
  }
  let [at, indent] = [start, 0];
  for (const end = state.eMarks[line] as number; at < end; at += 1) {
    const sign = state.src.charCodeAt(at);
    if (sign === TAB) indent += TOO_FAR - ((indent + column) % TOO_FAR);
    else if (sign === SPACE) indent += 1;
    else break;
  }
  state.bMarks[line] = start;
  state.tShift[line] = at - start;
  state.sCount[line] = indent;
  state.bsCount[line] = column;
}

const CLOSES: Readonly<Record<string, RegExp>> = { '`': /^`{3,}(?=\s*$)/, '~': /^~{3,}(?=\s*$)/ };

/** A block of code that is empty, or is not closed in the quote or list in which it begins, is text. */
const closed =
  (rule: Rule): Rule =>
  (state, first, end, silent) => {
    const [row] = /^(?:`{3,}|~{3,})/.exec(lineOf(state, first)) ?? [''];
    const sign = row[0];
    if (sign === undefined || !rule(state, first, end, true)) return false;
    const env = state.env as unknown as Env;
    const known = env.unclosed.get(`${sign} ${env.place}`);
    // What was not closed from a line above is not closed from here.
    if (known && first < known.until && row.length >= known.length) return false;
    if (silent) return true;
    rule(state, first, end, false);
    const { line: until } = state;
    const [closing = ''] = until - 1 > first ? (CLOSES[sign]?.exec(lineOf(state, until - 1)) ?? []) : [];
    if (closing.length >= row.length && state.tokens.at(-1)?.content.trim() !== '') return true;
    state.tokens.pop();
    state.line = first;
    env.unclosed.set(`${sign} ${env.place}`, { until, length: row.length });
    return false;
  };

const cellsIn = (line: string): number =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;

/** Cells beyond those of the head would be lost, and rows without end are no table to read: then all its lines are text. */
const smallTable =
  (rule: Rule): Rule =>
  (state, first, end, silent) => {
    const env = state.env as unknown as Env;
    if (first < env.noTableBefore || !rule(state, first, end, true)) return false;
    const columns = cellsIn(lineOf(state, first));
    let [line, isSmall] = [first + 2, columns <= MOST_COLUMNS];
    for (; line < end && !state.isEmpty(line) && indentOf(state, line) >= 0; line += 1)
      isSmall &&= line < first + 2 + MOST_ROWS && cellsIn(lineOf(state, line)) <= columns;
    if (!isSmall) env.noTableBefore = line;
    return isSmall && (silent || rule(state, first, end, silent));
  };

const BEGINS = ['paragraph', 'reference', 'blockquote', 'list'];

/** The blocks of a message. Chat is no prose: what a sign begins ends with it. */
export function addBlockRules(md: MarkdownIt): void {
  const { ruler } = md.block;
  md.enable(['table', 'fence', 'blockquote', 'list', 'heading']);
  ruler.at('paragraph', paragraph);
  ruler.at('blockquote', nested(quote), { alt: BEGINS });
  // An empty item and a plus sign, as in a list of changes, are text.
  ruler.at('list', nested(only(/^(?:[-*]|\d{1,9}[.)])[ \t]+\S/, ruleOf('list'))), {
    alt: BEGINS.slice(0, 3),
  });
  ruler.at('heading', only(/^#{1,6}[ \t]+(?!#+\s*$)\S/, ruleOf('heading')), { alt: BEGINS });
  ruler.at('fence', closed(ruleOf('fence')), { alt: BEGINS });
  ruler.at('table', smallTable(ruleOf('table')), { alt: BEGINS.slice(0, 2) });
}
