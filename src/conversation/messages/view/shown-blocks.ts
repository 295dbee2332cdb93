import type { MessageRow } from '#schema';
import { type Block, textOfBlocks } from '../../blocks/index.ts';

type WithBlocks = Pick<MessageRow, 'text' | 'blocks_json'>;

/** The text of a message's blocks; undefined where it has none. */
const saidBy = ({ blocks_json }: Pick<MessageRow, 'blocks_json'>): string | undefined =>
  blocks_json === null ? undefined : textOfBlocks(JSON.parse(blocks_json) as Block[]);

/** All that can be read of a message: its text, and that of its blocks where they say something else. */
export function textAndBlocks(row: WithBlocks): string {
  const said = saidBy(row);
  return said === undefined || isMadeOf(row.text, said) ? row.text : `${row.text}\n${said}`;
}

/** Whether a message has no text of its own: then it has that of its blocks, as long as it may be. */
export const hasTextOfBlocks = (row: WithBlocks): boolean => isMadeOf(row.text, saidBy(row) ?? '');

const isMadeOf = (text: string, said: string) =>
  text === said || (text.endsWith('…') && text.length > 1 && said.startsWith(text.slice(0, -1)));
