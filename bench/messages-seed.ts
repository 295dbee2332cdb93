import type { Database, Tx } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import {
  insertMessages,
  insertRecipients,
  newMessage,
} from '../src/conversation/messages/posting/message.store.ts';
import {
  addToIndex,
  authorMark,
  teamMark,
  userMark,
} from '../src/conversation/messages/search/search.store.ts';
import { wordsOf } from '../src/conversation/messages/search/search-words.ts';

const BATCH = 5000;
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ter',
  'ves',
  'ran',
  'du',
  'pel',
  'osh',
  'quin',
  'bra',
  'fe',
  'gon',
  'hul',
  'ix',
];

/** Words of which, as in any language, a few are in every other message and most are rare. */
export function vocabulary(size: number): string[] {
  return Array.from({ length: size }, (_, index) => {
    let word = '';
    for (let rest = index + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
      word += SYLLABLES[rest % SYLLABLES.length];
    }
    return word;
  });
}

/** Always the same numbers, so that two runs hold the same messages. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** By Zipf's law: the word of rank n is n times rarer than the first. */
export const pickWord = (words: readonly string[], random: () => number) =>
  words[Math.floor(words.length ** random()) - 1] as string;

/**
 * Inserts messages straight into the tables and the index.
 * @param to a team, or the recipient of direct messages
 */
export async function seedMessages(
  db: Database,
  count: number,
  author: string,
  to: { team: string } | { user: string },
): Promise<void> {
  const words = vocabulary(20_000);
  const random = randomNumbers(count);
  for (let from = 0; from < count; from += BATCH) {
    await db.write(async (tx) => {
      for (let n = from; n < Math.min(count, from + BATCH); n++) {
        const length = 4 + Math.floor(random() * 16);
        const text = Array.from({ length }, () => pickWord(words, random)).join(' ');
        await post(tx, n + 1, author, to, text);
      }
      if ('team' in to) {
        const seq = Math.min(count, from + BATCH);
        await tx.all(`UPDATE teams SET message_seq = ${seq} WHERE id = '${to.team}'`, []);
        await tx.all(`UPDATE memberships SET read_seq = ${seq} WHERE team_id = '${to.team}'`, []);
      }
    });
  }
}

async function post(
  tx: Tx,
  seq: number,
  author: string,
  to: { team: string } | { user: string },
  text: string,
) {
  const now = Date.now();
  const inTeam = 'team' in to;
  const row = newMessage({
    id: newId(),
    author: { userId: author },
    content: { text, attachments: [], fileIds: [], format: null, mention: undefined },
    place: inTeam ? { team_id: to.team, seq, addressees: [] } : { team_id: null, addressees: [to.user] },
    attached: [],
    mentions: [],
    now,
  });
  await insertMessages(tx, [row]);
  if (!inTeam) await insertRecipients(tx, [{ user_id: to.user, message_id: row.id, read_at: null }]);
  const scopes = inTeam ? [teamMark(to.team)] : [userMark(to.user), userMark(author)];
  const marks = [...scopes, authorMark(author)];
  await addToIndex(tx, [{ messageId: row.id, createdAt: now, marks, words: wordsOf(text) }]);
}
