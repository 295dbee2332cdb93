import type { MessageRow } from '#schema';
import { type Block, textOfBlocks } from '../../blocks/index.ts';

type WithBlocks = Pick<MessageRow, 'text' | 'blocks_json'>;

/** The text of a message's blocks; undefined where it has none. */
const saidBy = ({ blocks_json }: Pick<MessageRow, 'blocks_json'>): string | undefined =>
  blocks_json === null ? undefined : textOfBlocks(JSON.parse(blocks_json) as Block[]);

/** All that can be read of a message: its text, and the lines of its blocks that have a word more. */
export function textAndBlocks(row: WithBlocks): string {
  const said = saidBy(row);
  if (said === undefined || isMadeOf(row.text, said)) return row.text;
  const told = new Set(wordsIn(row.text));
  const news = said.split('\n').filter((line) => wordsIn(line).some((word) => !told.has(word)));
  return [row.text, ...news].join('\n');
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Whether a message has no text of its own: then it has that of its blocks, as long as it may be. */
export const hasTextOfBlocks = (row: WithBlocks): boolean => isMadeOf(row.text, saidBy(row) ?? '');

const isMadeOf = (text: string, said: string) =>
  text === said || (text.endsWith('…') && text.length > 1 && said.startsWith(text.slice(0, -1)));
