import { REPEATED } from '#platform/text/repetition.ts';
import type { Message } from '../../api/types.ts';
import { addressOf } from './references.ts';

/** A second message that a reply asks for. Its key is made with the reply: sending that twice asks for it once. */
export interface AlsoTo {
  readonly team: string;
  readonly key: string;
}

/** A reply in the outbox. */
interface Waiting {
  readonly also?: AlsoTo;
  readonly text: string;
  readonly written: number;
}

/** Room for the link below the text, in a message as long as may be. */
const LINK = 200;

/** An `@` that begins a name. */
const CALL = /(?<![\p{L}\p{N}._-])@(?=[\p{L}\p{N}])/gu;

/**
 * The message to the team beside a reply: its text, with the link to it. It is a message of its own, and not the reply in
 * two places: lists, counts, mails and programs know each message in one place. It calls nobody: the reply has.
 * @param most the longest text of a message
 */
export function besideReply({ also, text, written }: Waiting, reply: Pick<Message, 'id'>, most: number) {
  if (also === undefined) return undefined;
  const said = [...text.replaceAll(CALL, '')];
  const room = most - LINK;
  const shown = said.length > room ? `${said.slice(0, room).join('')}…` : said.join('');
  const link = `${REPEATED}${addressOf(reply)}`;
  return {
    key: also.key,
    target: { kind: 'team', id: also.team } as const,
    text: shown.trim() === '' ? link : `${shown}\n\n${link}`,
    files: [],
    written: written + 1,
  };
}
