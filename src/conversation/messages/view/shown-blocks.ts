import { shorten } from '#platform/text/index.ts';
import type { MessageRow } from '#schema';
import { type Block, textOfBlocks } from '../../blocks/index.ts';

type WithBlocks = Pick<MessageRow, 'text' | 'blocks_json'>;

/** The text of blocks, cut to `maxText` characters; empty without blocks. */
export const saidIn = (blocks: readonly Block[] | undefined, maxText: number): string =>
  blocks === undefined ? '' : shorten(textOfBlocks(blocks), maxText);

/** The text of a message's blocks; undefined where it has none. */
const saidBy = ({ blocks_json }: Pick<MessageRow, 'blocks_json'>): string | undefined =>
  blocks_json === null ? undefined : textOfBlocks(JSON.parse(blocks_json) as Block[]);

/** All that can be read of a message: its text, and the lines of its blocks that have a word more. */
export function textAndBlocks(row: WithBlocks): string {
  const said = saidBy(row);
  if (said === undefined || isMadeOf(row.text, said)) return row.text;
  const told = new Set(wordsIn(row.text));
  const hasNews = (line: string) => wordsIn(nameless(line)).some((word) => !told.has(word));
  const news = said.split('\n').filter(hasNews);
  return [row.text, ...news].join('\n');
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether a message has no text of its own: then it has that of its blocks, as long as it may be. */
export const hasTextOfBlocks = (row: WithBlocks): boolean => isMadeOf(row.text, saidBy(row) ?? '');

function isMadeOf(text: string, said: string): boolean {
  const [one, other] = [nameless(text), nameless(said)];
  return one === other || (one.endsWith('…') && one.length > 1 && other.startsWith(one.slice(0, -1)));
}

/** The text has names of people where blocks have ids. */
const nameless = (text: string) => text.replaceAll(/@(?:…|[\p{L}\p{M}\p{N}_.-]+)/gu, '@');
