import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startLive } from '../../api/live.ts';
import { type Ask, ask, askAgain, dismiss, keyOf, NO_BLOCK, onInteraction, send } from './presses.ts';

/*
 * Presses hold what happened in the window: so each test has a key of its own. Where they can be seen is for components,
 * which is why what was sent, and what came of it, is looked at here.
 */

interface Sent {
  readonly path: string;
  readonly body: { readonly click: string; readonly text?: string };
  answer(status: number, body: object): void;
}

let sent: Sent[] = [];
let keys = 0;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal('location', { origin: 'https://parley.example' });
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    return new Promise((resolve) => {
      const answer = (status: number, given: object) =>
        resolve(new Response(JSON.stringify(given), { status }));
      sent.push({ path, body: JSON.parse(body), answer });
    });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const key = () => {
  keys += 1;
  return keyOf(`place-${keys}`, NO_BLOCK, 'it');
};

/** @returns what is asked, and the ends that it has come to */
function asked(text: string): { given: Ask; ends: (string | undefined)[] } {
  const ends: (string | undefined)[] = [];
  const whenDone = async (form: string | undefined) => void ends.push(form);
  return { given: { what: text, path: '/v1/it', body: () => ({ text }), whenDone }, ends };
}

const done = (id: string, more: object = {}) => ({ data: [{ id, status: 'done', ...more }] });
const pending = (id: string) => ({ data: [{ id, status: 'pending' }] });
const textsSent = () => sent.map(({ body }) => body.text);
const clicksSent = () => sent.map(({ body }) => body.click);
/** Lets answers arrive. */
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('what is asked of an application', () => {
  it('is the same click while it is under way, and another choice follows it, the last one alone', async () => {
    const at = key();
    for (const text of ['a', 'a', 'b', 'c']) ask(at, asked(text).given);
    expect(textsSent()).toEqual(['a']);
    sent[0]?.answer(200, done('i1'));
    await settled();
    expect(textsSent()).toEqual(['a', 'c']);
    expect(new Set(clicksSent()).size).toBe(2);
    dismiss(at);
  });

  it('ends with the event about it, whether that comes before the answer or after it', async () => {
    for (const isEarly of [true, false]) {
      const { given, ends } = asked('a');
      const id = `early-${isEarly}`;
      const sending = send(key(), `click-${isEarly}`, given);
      if (isEarly) onInteraction({ id, status: 'done', form: 'f1' });
      sent.at(-1)?.answer(200, pending(id));
      await sending;
      expect(ends).toEqual(isEarly ? ['f1'] : []);
      if (!isEarly) onInteraction({ id, status: 'done' });
      expect(ends).toEqual(isEarly ? ['f1'] : [undefined]);
    }
  });

  it('goes on when another click ends', async () => {
    const { given, ends } = asked('a');
    const sending = send(key(), 'own', given);
    sent[0]?.answer(200, pending('i-own'));
    await sending;
    onInteraction({ id: 'i-other', status: 'done', form: 'f2' });
    expect(ends).toEqual([]);
  });

  it('is the same click again where it may have arrived, and a new one after a refusal', async () => {
    const at = key();
    const { given } = asked('a');
    const again = async (status: number, click: string) => {
      const sending = send(at, click, given);
      sent.at(-1)?.answer(status, { errors: [{ code: status * 10, message: 'no' }] });
      const error = await sending;
      askAgain(at, { click, ask: given, status: 'failed', isSlow: false, at: 0, error });
      return clicksSent().at(-1);
    };
    expect(await again(503, 'lost')).toBe('lost');
    expect(await again(404, 'refused')).not.toBe('refused');
    dismiss(at);
  });

  it('is asked about again with the connection, unless it is so old that it would be done once more', async () => {
    const stream = new EventTarget();
    vi.stubGlobal('EventSource', function EventSource() {
      return Object.assign(stream, { close: () => undefined });
    });
    vi.stubGlobal('navigator', {});
    vi.stubGlobal('addEventListener', () => undefined);
    const end = startLive();
    const at = key();
    const sending = send(at, 'slow', { what: 'a', path: '/v1/it', body: () => ({}) });
    sent[0]?.answer(200, pending('i-slow'));
    await sending;
    const reconnect = () => ['error', 'ready'].map((name) => stream.dispatchEvent(new Event(name)));
    reconnect();
    expect(clicksSent()).toEqual(['slow', 'slow']);
    sent[1]?.answer(200, pending('i-slow'));
    await settled();
    // While a device sleeps, no timer runs.
    vi.setSystemTime(Date.now() + 3 * 24 * 3_600_000);
    reconnect();
    expect(clicksSent()).toEqual(['slow', 'slow']);
    dismiss(at);
    end();
  });
});
