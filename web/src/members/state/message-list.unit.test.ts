import { describe, expect, it } from 'vitest';
import type { Message, SessionUser } from '../../api/types.ts';
import { asNew, follow, goesOn, join, type MessageList, merge, putIn } from './message-list.ts';

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

const list = (...ids: string[]): MessageList => ({ ids, older: null, newer: null });

describe('a list of messages', () => {
  it('takes a new one in where it belongs, and stays the same object when it has it', () => {
    expect(putIn(list('a', 'c'), 'd').ids).toEqual(['a', 'c', 'd']);
    expect(putIn(list('a', 'c'), 'b').ids).toEqual(['a', 'b', 'c']);
    expect(putIn(list('b'), 'a').ids).toEqual(['a', 'b']);
    expect(putIn(list(), 'b').ids).toEqual(['b']);
    const before = list('a', 'b', 'c');
    expect(putIn(before, 'b')).toBe(before);
  });

  it('goes on with the newest ones, unless there is a gap between, whatever was heard meanwhile', () => {
    expect(follow(list('a', 'b'), list('b', 'c'), 'b').ids).toEqual(['a', 'b', 'c']);
    expect(follow(list('a', 'b', 'f'), list('d', 'e', 'f'), 'b').ids).toEqual(['d', 'e', 'f']);
    const past = { ...list('a'), newer: 'cursor' };
    expect(follow(past, list('d'), 'd')).toBe(past);
  });

  it('is joined with one that overlaps it', () => {
    expect(join(['b', 'c'], ['a', 'b'])).toEqual(['a', 'b', 'c']);
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
