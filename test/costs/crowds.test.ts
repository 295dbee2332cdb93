import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { MOST_EMOJI_BYTES } from '../../src/conversation/emoji/emoji-picture.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';
import { scene } from '../support/scene.ts';
import type { Asked } from './inputs.ts';
import { noteCost } from './report.ts';
import { allRows, type Row } from './rows.ts';
import { send } from './send.ts';
import { STAGE_ENVIRONMENT, type Stage, setStage } from './stage.ts';

/*
 * Many requests of one caller at once, and files: what stands in no schema. Work that is queued does not grow with how much of
 * it waits, and none of it is done in a piece for which others wait longer.
 */

const MANY = 40;
const FILE_BYTES = 4_000_000;

const { server, host, ada, bob } = scene({ people: ['Ada', 'Bob'], environment: STAGE_ENVIRONMENT });
const rows = new Map((await allRows()).map((row) => [row.name, row]));
let stage: Stage;
let small: Buffer;
/** Pictures, and a quarter of them. */
const pictures = new Map<number, Buffer>();
const emoji = new Map<number, Buffer>();
let count = 0;

beforeAll(async () => {
  stage = await setStage(server, host, [ada, bob]);
  small = await noisy(20_000);
  for (const share of [1 / 4, 1]) {
    pictures.set(share, await noisy(FILE_BYTES * share));
    emoji.set(share, await noisy(MOST_EMOJI_BYTES * 0.9 * share));
  }
});

function noisy(bytes: number): Promise<Buffer> {
  const side = Math.floor(Math.sqrt(bytes / 3));
  const grain = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: 'red', noise: grain } })
    .png()
    .toBuffer();
}

function form(bytes: Uint8Array, fields: Readonly<Record<string, string>> = {}): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  made.set('file', new Blob([new Uint8Array(bytes)]), 'file');
  return made;
}

const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });

/** Those whose work is queued, runs elsewhere or reaches many, by the name of the route. */
const crowds: Readonly<Record<string, () => Asked>> = {
  'POST /v1/sessions': () => ({
    path: '/v1/sessions',
    ...json({ email: ada.email, password: 'x'.repeat(1000) }),
  }),
  'PUT /v1/users/me/image': () => ({ path: '/v1/users/me/image', body: form(small) }),
  // Forty pages of a megabyte, which other tests may have filled, would measure the collector of garbage.
  'GET /v1/messages': () => ({ path: `/v1/messages?q=${encodeURIComponent('a '.repeat(100))}&limit=10` }),
  'GET /v1/events': () => ({ path: '/v1/events', headers: { 'Last-Event-ID': '1' } }),
  'POST /v1/messages': () => ({
    path: '/v1/messages',
    ...json({ text: `@team ${'- a\n'.repeat(3900)}`, addressed_teams: [stage.known.team] }),
  }),
  'PUT /v1/teams/{team}/typing': () => ({ path: `/v1/teams/${stage.known.team}/typing`, ...json({}) }),
  'POST /v1/password_resets': () => ({ path: '/v1/password_resets', ...json({ email: bob.email }) }),
};

it.each(Object.entries(crowds))(`%s, ${MANY} at once`, async (name, asked) => {
  const row = rows.get(name) as Row;
  const found = await growth((share) =>
    Promise.all(Array.from({ length: MANY * share }, () => send(row, stage, asked()))),
  );
  noteCost(`${name}, ${MANY} at once`, found);
  expect(found.times, JSON.stringify(found)).toBeLessThanOrEqual(MOST_GROWTH);
});

it.each(
  [...rows.values()]
    .filter(({ requestBody }) => requestBody?.content?.['multipart/form-data'])
    .map((row) => [row.name, row] as const),
)('%s, a large picture', async (name, row) => {
  const { known } = stage;
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => known[key] ?? '');
  const found = await growth(async (share) => {
    const body =
      name === 'POST /v1/emoji'
        ? form(emoji.get(share) as Buffer, { name: `noise${++count}` })
        : form(pictures.get(share) as Buffer);
    const sent = await send(row, stage, { path, body });
    expect(sent.status, sent.text).toBe(200);
  });
  noteCost(`${name}: a picture`, found);
  expect(found.times, JSON.stringify(found)).toBeLessThanOrEqual(MOST_GROWTH);
});
