import { type AnswerContent, blocks, type ParleyBot } from '#sdk';
import { type Passage, passagesIn, wordsOf } from './passages.ts';

const { link, mrkdwn, section } = blocks;

/** Files that one question looks at, the newest ones; those of them that it opens, and bytes of each. */
const MOST_LISTED = 500;
const MOST_OPENED = 20;
const MOST_BYTES = 262_144;
/** Passages that one answer quotes. */
const MOST_QUOTED = 3;

const HELP =
  'Ask me where something stands in the files of this team, with the words that it may have: “oven manual”.';

interface Found {
  readonly name: string;
  /** The message that holds the file. */
  readonly message: string;
  /** Missing of a file that is found by its name. */
  readonly passage?: Passage;
}

/** Quotes what the files of a team say about a question. @param address of the server */
export async function answer(bot: ParleyBot, question: string, address: string): Promise<AnswerContent> {
  const words = wordsOf(question);
  if (words.length === 0) return HELP;
  const found: Found[] = [];
  const named: Found[] = [];
  let listed = 0;
  let opened = 0;
  for await (const { id, name, type, size, message } of bot.files({ kind: 'document' })) {
    if (++listed > MOST_LISTED) break;
    if (wordsOf(name).some((word) => words.includes(word))) named.push({ name, message });
    if (!type.startsWith('text/') || size > MOST_BYTES || ++opened > MOST_OPENED) continue;
    const text = new TextDecoder().decode(await bot.download(id));
    found.push(...passagesIn(text, words).map((passage) => ({ passage, name, message })));
  }
  const best = found.sort((one, other) => scoreOf(other) - scoreOf(one)).slice(0, MOST_QUOTED);
  const others = named.filter(({ message }) => best.every((one) => one.message !== message));
  const shown = [...best, ...others.slice(0, MOST_QUOTED)];
  if (shown.length === 0) return 'No file of this team says anything about that.';
  return {
    blocks: shown.flatMap((one) => [
      section(mrkdwn`*${one.name}*, ${link(`${address}/messages/${one.message}`, 'as it was posted')}`),
      // A bare text is shown as it stands in the file.
      ...(one.passage ? [section(one.passage.text)] : []),
    ]),
  };
}

const scoreOf = ({ passage }: Found): number => passage?.score ?? 0;
