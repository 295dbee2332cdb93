import { describe, expect, it } from 'vitest';
import type { Message, SessionUser } from '../../api/types.ts';
import {
  asNew,
  changeAll,
  changeIn,
  follow,
  goesOn,
  join,
  type MessageList,
  merge,
  putIn,
} from './message-list.ts';

const me = { id: 'me' } as SessionUser;

const message = (id: string, fields: Partial<Message> = {}): Message =>
  ({
    id,
    text: id,
    author: { id: 'other' },
    addressed_users: [],
    addressed_teams: ['team'],
    events: [],
    tags: [],
    via_app: null,
    created_at: 0,
    read: false,
    user_high_fived: false,
    ...fields,
  }) as Message;

const list = (...ids: string[]): MessageList => ({
  items: ids.map((id) => message(id)),
  older: null,
  newer: null,
});
const idsOf = ({ items }: { items: readonly Message[] }) => items.map(({ id }) => id);

describe('a list of messages', () => {
  it('takes a new one in where it belongs, and one that it has only once', () => {
    expect(idsOf(putIn(list('a', 'c'), message('d')))).toEqual(['a', 'c', 'd']);
    expect(idsOf(putIn(list('a', 'c'), message('b')))).toEqual(['a', 'b', 'c']);
    expect(idsOf(putIn(list(), message('b')))).toEqual(['b']);
    const replaced = putIn(list('a', 'b', 'c'), message('b', { text: 'new' }));
    expect(replaced.items.map(({ text }) => text)).toEqual(['a', 'new', 'c']);
  });

  it('goes on with the newest ones, unless there is a gap between, whatever was heard meanwhile', () => {
    expect(idsOf(follow(list('a', 'b'), list('b', 'c'), 'b'))).toEqual(['a', 'b', 'c']);
    expect(idsOf(follow(list('a', 'b', 'f'), list('d', 'e', 'f'), 'b'))).toEqual(['d', 'e', 'f']);
    const past = { ...list('a'), newer: 'cursor' };
    expect(follow(past, list('d'), 'd')).toBe(past);
  });

  it('stays the same object when nothing in it changes', () => {
    const before = list('a', 'b');
    expect(changeIn(before, 'x', (it) => ({ ...it, text: 'y' }))).toBe(before);
    expect(
      changeAll(
        before,
        () => false,
        (it) => it,
      ),
    ).toBe(before);
    expect(changeIn(before, 'b', (it) => ({ ...it, text: 'y' })).items[1]?.text).toBe('y');
  });

  it('joins overlapping stretches, the second telling more recent things', () => {
    const joined = join(list('a', 'b').items, [message('b', { text: 'new' }), message('c')]);
    expect(joined.map(({ text }) => text)).toEqual(['a', 'new', 'c']);
  });
});

describe('what comes for everybody alike', () => {
  it('keeps what depends on the reader', () => {
    const mine = message('a', { read: true, user_high_fived: true, tags: ['_inbox'] });
    const merged = merge(mine, { id: 'a', text: 'edited', num_high_fives: 2 });
    expect(merged).toMatchObject({ text: 'edited', num_high_fives: 2, read: true, user_high_fived: true });
    expect(merged.tags).toEqual(['_inbox']);
  });

  it.each([
    ['of somebody else in a team', {}, ['_inbox', '_other', '_unread'], false],
    ['of somebody else, direct', { addressed_teams: [] }, ['_inbox', '_direct', '_unread'], false],
    ['one’s own', { author: { id: 'me' } as Message['author'] }, ['_sent'], true],
    [
      'a note to oneself',
      { author: { id: 'me' } as Message['author'], addressed_teams: [], addressed_users: ['me'] },
      ['_sent', '_inbox', '_direct'],
      true,
    ],
  ])('is sorted as the server sorts it: %s', (_, fields, tags, read) => {
    expect(asNew(message('a', fields), me, false)).toMatchObject({ tags, read });
  });
});

it('messages of one author within some minutes stand under one name', () => {
  const first = message('a', { created_at: 1000 });
  expect(goesOn(message('b', { created_at: 1100 }), first)).toBe(true);
  expect(goesOn(message('b', { created_at: 1400 }), first)).toBe(false);
  expect(goesOn(message('b', { created_at: 1100, author: me as unknown as Message['author'] }), first)).toBe(
    false,
  );
  expect(goesOn(message('b'), undefined)).toBe(false);
});
