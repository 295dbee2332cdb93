import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Message } from '../../api/types.ts';
import { besideReply } from './also-to-team.ts';

beforeAll(() => void vi.stubGlobal('location', { origin: 'https://chat.example' }));
afterAll(() => vi.unstubAllGlobals());

const reply = { id: 'the-reply' } as Message;
const entry = (text: string) => ({
  key: 'one',
  target: { kind: 'replies', id: 'root' } as const,
  text,
  files: [],
  also: { team: 'team', key: 'two' },
  written: 7,
});
const link = '↩ https://chat.example/messages/the-reply';

it.each([
  ['It is **done**.', `It is **done**.\n\n${link}`],
  ['@ada and (@team) look, ada@example.org too', `ada and (team) look, ada@example.org too\n\n${link}`],
  ['  ', link],
])('the message beside %j has the link to the reply, and calls nobody', (text, shown) => {
  expect(besideReply(entry(text), reply, 16_000)).toEqual({
    key: 'two',
    target: { kind: 'team', id: 'team' },
    text: shown,
    files: [],
    written: 8,
  });
});

it('the message beside a reply as long as may be is not longer', () => {
  const { text = '' } = besideReply(entry('😀'.repeat(1000)), reply, 1000) ?? {};
  expect([...text].length).toBeLessThanOrEqual(1000);
  expect(text).toContain('…');
});

it('a reply that is for its conversation alone has none', () => {
  const { also: _, ...plain } = entry('Quiet.');
  expect(besideReply(plain, reply, 1000)).toBeUndefined();
});
