import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { addMessage, answersQuery, listQuery } from './lists.ts';
import type { MessageList } from './message-list.ts';
import {
  changeEvery,
  changeMessage,
  changeWhere,
  dropExcept,
  findMessage,
  keep,
  type Page,
  receive,
  replaceMessage,
} from './messages.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  queryClient.clear();
  dropExcept(new Set());
  vi.useRealTimers();
});

const message = (id: string, fields: Partial<Message> = {}): Message =>
  ({
    id,
    text: id,
    updated_at: 1,
    num_high_fives: 0,
    read: false,
    addressed_teams: ['team'],
    tags: [],
    ...fields,
  }) as Message;

/** A request that is answered when the test says so. */
function request(takes = (_: Message) => true) {
  const { promise, resolve } = Promise.withResolvers<Page>();
  const list = receive(promise, takes);
  return (messages: Message[], newer: string | null = null) => {
    resolve({ messages, older: null, newer });
    return list;
  };
}

const edit = (text: string) => (now: Message) => ({ ...now, text });

describe('an answer', () => {
  it('that is older than a change made while it was under way gets the change', async () => {
    const answer = request();
    changeMessage('a', edit('edited'));
    changeMessage('a', (now) => ({ ...now, num_high_fives: 2 }));
    changeMessage('x', edit('of another list'));
    expect(await answer([message('a', { num_high_fives: 1 }), message('b')])).toEqual({
      ids: ['a', 'b'],
      older: null,
      newer: null,
    });
    expect(findMessage('a')).toMatchObject({ text: 'edited', num_high_fives: 2 });
    expect(findMessage('b')).toMatchObject({ text: 'b' });
    expect(findMessage('x')).toBeUndefined();
  });

  it('keeps a change that was made to all loaded messages meanwhile, as marking them read', async () => {
    keep([message('a')]);
    const answer = request();
    changeWhere(
      ({ read }) => !read,
      (now) => ({ ...now, read: true }),
    );
    await answer([message('a'), message('b')]);
    expect([findMessage('a')?.read, findMessage('b')?.read]).toEqual([true, false]);
  });

  it('gets a change of every message that fits, as a new name of their author', async () => {
    keep([message('a')]);
    const answer = request();
    changeEvery(({ id }) => id !== 'c', edit('renamed'));
    await answer([message('a'), message('b'), message('c')]);
    expect(['a', 'b', 'c'].map((id) => findMessage(id)?.text)).toEqual(['renamed', 'renamed', 'c']);
  });

  it('never overwrites a newer version of a message, and one with the same version does', async () => {
    keep([message('a', { text: 'new', updated_at: 3 })]);
    await request()([message('a', { text: 'old', updated_at: 2, read: true })]);
    expect(findMessage('a')).toMatchObject({ text: 'new', read: false });
    replaceMessage(message('a', { text: 'old', updated_at: 2 }));
    expect(findMessage('a')?.text).toBe('new');
    replaceMessage(message('a', { text: 'new', updated_at: 3, num_high_fives: 1 }));
    expect(findMessage('a')?.num_high_fives).toBe(1);
  });

  it('with nothing new leaves the same object, as a change to the same does, so that nothing renders again', async () => {
    keep([message('a')]);
    const before = findMessage('a');
    await request()([message('a')]);
    changeMessage('a', (now) => ({ ...now, tags: [] }));
    expect(findMessage('a')).toBe(before);
  });

  it('gets the messages that came meanwhile, with their changes, if it reaches the end', async () => {
    const answer = request(({ addressed_teams }) => addressed_teams.includes('team'));
    addMessage(message('c'));
    addMessage(message('d', { addressed_teams: ['other'] }));
    addMessage(message('b', { text: 'heard' }));
    changeMessage('c', edit('edited'));
    expect((await answer([message('a'), message('b', { text: 'answered' })])).ids).toEqual(['a', 'b', 'c']);
    expect(findMessage('b')?.text).toBe('answered');
    expect(findMessage('c')?.text).toBe('edited');
    expect(findMessage('d')).toBeUndefined();
  });

  it('that ends in the past does not get them', async () => {
    const answer = request();
    addMessage(message('z'));
    expect((await answer([message('a')], 'cursor')).ids).toEqual(['a']);
  });

  it('that failed leaves nothing behind', async () => {
    await expect(receive(Promise.reject(new Error('offline')), () => true)).rejects.toThrow('offline');
    changeMessage('a', edit('edited'));
    await request()([message('a')]);
    expect(findMessage('a')?.text).toBe('a');
  });
});

describe('a new message', () => {
  const show = (queryKey: readonly unknown[], list: Partial<MessageList>) =>
    queryClient.setQueryData(queryKey, { ids: [], older: null, newer: null, ...list });
  const idsOf = (queryKey: readonly unknown[]) => queryClient.getQueryData<MessageList>(queryKey)?.ids;

  it('comes into the lists that it belongs to and that reach the end, and into no others', () => {
    const team = listQuery({ team: 'team' }).queryKey;
    const other = listQuery({ team: 'other' }).queryKey;
    const unread = listQuery({ tag: '_unread' }).queryKey;
    const replies = answersQuery('replies', 'root').queryKey;
    const past = listQuery({ tag: '_inbox' }).queryKey;
    for (const key of [team, other, unread, replies]) show(key, { ids: ['a'] });
    show(past, { ids: ['a'], newer: 'cursor' });
    addMessage(message('b', { tags: ['_inbox', '_unread'] }));
    addMessage(message('c', { reply_to: 'root' }));
    expect([team, unread, replies, other, past].map(idsOf)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'c'],
      ['a'],
      ['a'],
    ]);
  });

  it('leaves a list to be read again that is out of date, as after a message was moved into it', async () => {
    const { queryKey } = listQuery({ team: 'team', subject: 'bread' });
    show(queryKey, { ids: ['a'] });
    await queryClient.invalidateQueries({ queryKey });
    addMessage(message('c', { subject_id: 'bread' }));
    expect(idsOf(queryKey)).toEqual(['a', 'c']);
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  it('is one message in all of them', () => {
    const keys = [listQuery({ team: 'team' }).queryKey, listQuery({ tag: '_inbox' }).queryKey];
    for (const key of keys) show(key, {});
    addMessage(message('a', { tags: ['_inbox'] }));
    const before = keys.map((key) => queryClient.getQueryData(key));
    changeMessage('a', edit('edited'));
    expect(findMessage('a')?.text).toBe('edited');
    // The lists stay as they are: only membership and order change them.
    keys.forEach((key, at) => {
      expect(queryClient.getQueryData(key)).toBe(before[at]);
    });
  });

  it('is dropped some time after the last list that shows it', () => {
    const keys = [listQuery({ team: 'team' }).queryKey, listQuery({ tag: '_inbox' }).queryKey] as const;
    for (const key of keys) show(key, {});
    addMessage(message('a', { tags: ['_inbox'] }));
    const remove = (queryKey: readonly unknown[]) => {
      queryClient.removeQueries({ queryKey });
      vi.advanceTimersByTime(120_000);
    };
    remove(keys[0]);
    expect(findMessage('a')).toBeDefined();
    remove(keys[1]);
    expect(findMessage('a')).toBeUndefined();
  });

  it('that no loaded list shows is not stored', () => {
    addMessage(message('a'));
    expect(findMessage('a')).toBeUndefined();
  });
});
