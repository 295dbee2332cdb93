import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../api/types.ts';
import { choose, inOrder, putBack, uploaded, withoutWaiting } from './draft-files.ts';
import type { Attached, Draft } from './drafts.ts';

const EMPTY: Draft = { text: '', files: [] };
const fresh = (...keys: string[]) => keys.map((key) => ({ key, name: `${key}.txt`, size: 1 }));
const onServer = (name: string) => ({ id: `id-${name}`, name }) as unknown as Attachment;
const namesOf = ({ files }: Draft) => files.map(({ name }) => name);

describe('the files of a draft', () => {
  it('stand in the order in which they were chosen, not in which their uploads ended', () => {
    const chosen = choose(choose(EMPTY, fresh('a', 'b')), fresh('c'));
    const one = uploaded(chosen, 'c', onServer('c'));
    const two = uploaded(one, 'a', onServer('a'));
    const three = uploaded(two, 'b', onServer('b'));
    expect([one, two, three].map(namesOf)).toEqual([['c'], ['a', 'c'], ['a', 'b', 'c']]);
    expect(three.waiting).toEqual([]);
    expect(inOrder([...two.files, ...(two.waiting ?? [])]).map(({ name }) => name)).toEqual([
      'a',
      'b.txt',
      'c',
    ]);
  });

  it('keep that order when some are removed and others are added', () => {
    const chosen = withoutWaiting(choose(EMPTY, fresh('a', 'b', 'c')), 'b');
    const done = ['d', 'c', 'a'].reduce(
      (draft, key) => uploaded(draft, key, onServer(key)),
      choose(chosen, fresh('d')),
    );
    expect(namesOf(done)).toEqual(['a', 'c', 'd']);
  });

  it('come before those of a message that is taken back, whatever order it had', () => {
    const sent = [
      { ...onServer('x'), order: 7 },
      { ...onServer('y'), order: 0 },
    ] as Attached[];
    const back = putBack(choose(EMPTY, fresh('a')), { text: 'Back', files: sent });
    expect(namesOf(uploaded(back, 'a', onServer('a')))).toEqual(['a', 'x', 'y']);
    expect(back.text).toBe('Back');
    expect(putBack({ ...EMPTY, text: 'Mine' }, { text: 'Back', files: [] }).text).toBe('Mine\nBack');
  });

  it('stay where they are in a draft of an earlier version, which has no order', () => {
    const before: Draft = { text: '', files: [onServer('x'), onServer('y')], waiting: fresh('z') };
    const more = choose(before, fresh('a'));
    const done = ['a', 'z'].reduce((draft, key) => uploaded(draft, key, onServer(key)), more);
    expect(namesOf(done)).toEqual(['x', 'y', 'z', 'a']);
  });

  it('are added once, also if an upload is reported twice or after its removal', () => {
    const chosen = choose(EMPTY, fresh('a'));
    const once = uploaded(chosen, 'a', onServer('a'));
    expect(uploaded(once, 'a', onServer('a'))).toBe(once);
    expect(uploaded(EMPTY, 'a', onServer('a'))).toBe(EMPTY);
  });
});
