import { QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeAnswers, queryClient } from './queries.ts';

afterEach(() => queryClient.clear());

const queryKey = ['names'];
const rename = (names: string[]) => names.map((name) => (name === 'Ada' ? 'Augusta' : name));

/** A request that is answered when the test says so. */
function request() {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const done = queryClient.fetchQuery({ queryKey, queryFn: () => promise, staleTime: 0, retry: false });
  const end = (how: () => void) => {
    how();
    return done.catch(() => undefined);
  };
  return {
    answer: (names: string[]) => end(() => resolve(names)),
    fail: () => end(() => reject(new Error('no answer'))),
  };
}

const kept = () => queryClient.getQueryData(queryKey);

describe('an answer that is outdated', () => {
  it('before it has come is asked for again, once', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const queryFn = vi.fn(() => Promise.resolve('new')).mockReturnValueOnce(promise);
    const observer = new QueryObserver(queryClient, { queryKey, queryFn });
    const end = observer.subscribe(() => {});
    for (let events = 0; events < 3; events++) void queryClient.invalidateQueries({ queryKey });
    resolve('old');
    await expect.poll(kept).toBe('new');
    expect(queryFn).toHaveBeenCalledTimes(2);
    end();
  });
});

describe('a change of all answers', () => {
  it('is made to those that are kept', () => {
    queryClient.setQueryData(queryKey, ['Ada', 'Ben']);
    changeAnswers(rename);
    expect(kept()).toEqual(['Augusta', 'Ben']);
  });

  it('is made to one under way, which may be older', async () => {
    const first = request();
    changeAnswers(rename);
    await first.answer(['Ada']);
    expect(kept()).toEqual(['Augusta']);
    const again = request();
    changeAnswers(rename);
    // Data that a view puts there meanwhile are not the answer.
    queryClient.setQueryData(queryKey, ['Cleo']);
    await again.answer(['Ada', 'Ben']);
    expect(kept()).toEqual(['Augusta', 'Ben']);
  });

  it('ends with the request', async () => {
    const first = request();
    changeAnswers(rename);
    await first.fail();
    expect(kept()).toBeUndefined();
    await request().answer(['Ada']);
    expect(kept()).toEqual(['Ada']);
  });
});
