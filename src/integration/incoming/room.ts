import { AsyncLocalStorage } from 'node:async_hooks';
import { beginningOf } from './payload.ts';

/** What may still be read of a payload. Without an end to it, one call would keep all others waiting. */
interface Room {
  characters: number;
  items: number;
  /** Characters of cards. */
  cards: number;
  /** Whether something was left out. */
  isCut: boolean;
}

/** Of what is read, signs of formatting are not shown. */
const READ_PER_SHOWN = 2;
/** Of one list, so that there is room for the lists in it, and of all. */
const MOST_OF_LIST = 500;
const MOST_ITEMS = 2500;
/** Room for a card, besides its text: lists of lists may have a hundred thousand that say nothing. */
const OF_CARD = 100;
/** Of tags, a text is left. */
const TAGGED_PER_TEXT = 4;
/** Of the longest text that a server can be set to take. */
const MOST_SHOWN = 100_000;

const newRoom = (shown: number): Room => ({
  characters: shown * READ_PER_SHOWN,
  items: MOST_ITEMS,
  cards: shown * READ_PER_SHOWN,
  isCut: false,
});

const rooms = new AsyncLocalStorage<Room>();
const currentRoom = () => rooms.getStore() ?? newRoom(MOST_SHOWN);

/**
 * Reads a payload as far as it can be shown.
 * @param shown the characters of a message
 */
export function within<T>(shown: number | undefined, read: (isCut: () => boolean) => T): T {
  const room = newRoom(shown ?? MOST_SHOWN);
  return rooms.run(room, () => read(() => room.isCut));
}

/** As much of a text as there is room for. To be called before any work with it. */
export function roomFor(text: string): string {
  const room = currentRoom();
  const most = room.characters;
  room.characters = Math.max(0, most - text.length);
  if (text.length <= most) return text;
  room.isCut = true;
  return most === 0 ? '' : `${beginningOf(text, most)}…`;
}

/** As much of a text with tags as there may be room for without them. To be called before they are looked for. */
export function roomForTagged(text: string): string {
  const room = currentRoom();
  const most = room.characters * TAGGED_PER_TEXT;
  if (text.length <= most) return text;
  room.isCut = true;
  return `${beginningOf(text, most)}…`;
}

/** As many of a list as there is room for; none of what is no list. */
export function itemsOf<T>(value: readonly T[]): readonly T[];
export function itemsOf(value: unknown): readonly unknown[];
export function itemsOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  const room = currentRoom();
  const items = value.slice(0, Math.min(MOST_OF_LIST, room.items));
  room.items -= items.length;
  if (items.length < value.length) room.isCut = true;
  return items;
}

/** @returns whether there is room for another card, which is taken */
export function takesCard(): boolean {
  const room = currentRoom();
  if (room.cards <= 0) {
    room.isCut = true;
    return false;
  }
  room.cards -= OF_CARD;
  return true;
}

/** Takes the room of what a card says. */
export function takeRoom(text: string): void {
  currentRoom().cards -= text.length;
}
