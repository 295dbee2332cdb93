import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Subject, startSubject } from '../../bench/process.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { makeTeam, signUp } from '../support/people.ts';
import { startTestServer } from '../support/server.ts';

const folder = newFolder();
let reference: Subject | undefined;
afterEach(async () => {
  await reference?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('posting without storage, which the bench compares with, answers as the platform does', async () => {
  const server = await startTestServer();
  try {
    const mara = await signUp(server);
    const post = { text: 'Bread is ready', addressed_teams: [await makeTeam(mara)] };
    const posted = await mara.client.post('/v1/messages', post);
    expect(posted.status).toBe(200);
    const BODY_FILE = join(folder, 'answer.json');
    writeFileSync(BODY_FILE, posted.text);
    reference = await startSubject(['bench/no-storage.ts'], { BODY_FILE });
    const asked = new Client(reference.url).withToken('prepared');
    expect((await asked.post('/v1/messages', post)).data).toEqual(posted.data);
    expect((await asked.post('/v1/messages', { text: 7 })).status).toBe(400);
  } finally {
    await server.stop();
  }
});
