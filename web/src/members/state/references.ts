import { isOnServer } from '#platform/text/inner-address.ts';
import { linksIn } from '#platform/text/links.ts';
import { REPEATED } from '#platform/text/repetition.ts';
import type { Message, MessageVersion } from '../../api/types.ts';

/**
 * A part of a message's text by its place. It holds no words: a reference tells those nothing who may not read the message,
 * and puts none into the author's mouth.
 */
export interface Passage {
  readonly from: number;
  readonly to: number;
  /** When the text that it was chosen in was edited last, in milliseconds; 0 for never. */
  readonly edited: number;
}

/** An address of a message of this server. */
export interface Reference {
  readonly message: string;
  readonly passage?: Passage;
}

const PATH = /^\/messages\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i;
const PASSAGE = /^#quote=(\d{1,7})-(\d{1,7})(?:-(\d{1,16}))?$/;
/** Of a message. */
export const MOST_REFERENCES = 5;

/** @returns undefined for any other address */
export function referenceOf(address: string, origin = location.origin): Reference | undefined {
  if (!address.includes('/messages/')) return undefined;
  const url = URL.parse(address);
  if (url?.username !== '' || !isOnServer(url, origin)) return undefined;
  const message = PATH.exec(url.pathname)?.[1]?.toLowerCase();
  if (message === undefined) return undefined;
  const [, from, to, edited = '0'] = PASSAGE.exec(url.hash) ?? [];
  if (from === undefined || to === undefined) return { message };
  return { message, passage: { from: Number(from), to: Number(to), edited: Number(edited) } };
}

/** @returns what a message repeats of a reply, and the reply; undefined for any other message */
export function repetitionIn(
  { text, format }: { readonly text: string; readonly format?: Message['format'] | undefined },
  origin?: string,
) {
  const from = text.lastIndexOf('\n') + 1;
  if (format === 'plain' || !text.startsWith(REPEATED, from)) return undefined;
  const reply = referenceOf(text.slice(from + REPEATED.length), origin)?.message;
  return reply === undefined ? undefined : { words: text.slice(0, from).trimEnd(), reply };
}

/** @returns those in a text, each once and not in code */
export function referencesIn(text: string, origin = location.origin): Reference[] {
  if (!text.includes('/messages/')) return [];
  const lines = text.split('\n').filter((line) => !line.startsWith(REPEATED));
  return linksIn(lines.join('\n'))
    .flatMap((link) => referenceOf(link, origin) ?? [])
    .slice(0, MOST_REFERENCES);
}

/** The address of a message, or of a part of its text. */
export function addressOf(message: Pick<Message, 'id'>, passage?: Passage): string {
  const address = `${location.origin}/messages/${message.id}`;
  if (!passage) return address;
  const { from, to, edited } = passage;
  return `${address}#quote=${from}-${to}${edited === 0 ? '' : `-${edited}`}`;
}

/** When a message was edited last, in milliseconds; 0 for never. */
export function editedAt({ events }: Pick<Message, 'events'>): number {
  const last = events.findLast(({ type }) => type === 'edited');
  return last ? Math.round(last.created_at * 1000) : 0;
}

/**
 * @param versions the texts before edits, the newest first; needed where there was another edit since
 * @returns the passage as it stands in the text now; undefined where it does not
 */
export function passageIn(
  message: Pick<Message, 'text' | 'events'>,
  { from, to, edited }: Passage,
  versions: readonly Pick<MessageVersion, 'text' | 'replaced_at'>[] = [],
): string | undefined {
  if (edited === editedAt(message)) return message.text.slice(from, to) || undefined;
  const then = versions.findLast(({ replaced_at }) => Math.round(replaced_at * 1000) > edited);
  const chosen = then?.text.slice(from, to);
  return chosen && message.text.includes(chosen) ? chosen : undefined;
}
