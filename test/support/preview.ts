import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { newFileName } from '../../src/platform/files/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { filesFolder } from './files.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';
import { runSql } from './tables.ts';

/**
 * Puts a preview with a picture below a message, as if a page had been looked at.
 * @returns the reference of the picture, for `/v1/pictures/…`
 */
export async function putPreview(server: TestServer, reader: Person, messageId: string): Promise<string> {
  const { db } = server.running;
  const [picture, file] = [newId(), newFileName()];
  const pixels = sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } });
  const bytes = await pixels.webp().toBuffer();
  const path = join(filesFolder(server), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const card = {
    title: 'Page',
    text: '',
    fields: [],
    site: '',
    host: 'page.example',
    picture: { width: 40, height: 40 },
  };
  await runSql(
    db,
    `INSERT INTO pictures (id, place_id, status, file, size, width, height, released_at) VALUES (?, ?, 'shown', ?, ?, 40, 40, 0)`,
    [picture, messageId, file, bytes.length],
  );
  await runSql(
    db,
    'INSERT INTO unfurls (id, message_id, url, card_json, picture_id) VALUES (?, ?, ?, ?, ?)',
    [newId(), messageId, 'https://page.example/', JSON.stringify(card), picture],
  );
  await runSql(db, 'UPDATE messages SET has_unfurls = 1 WHERE id = ?', [messageId]);
  const { unfurls } = (await reader.client.get(`/v1/messages/${messageId}`)).data[0];
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
  const { url } = unfurls.find((one: any) => one.picture).picture;
  return url.split('/').at(-1);
}
