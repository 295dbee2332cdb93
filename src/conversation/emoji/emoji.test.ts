import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';

const { server, root, ada, bob } = scene({ people: ['Root', 'Ada', 'Bob'] });

const plain = (width = 200, height = 100) =>
  sharp({ create: { width, height, channels: 4, background: '#b02a10' } })
    .png()
    .toBuffer();

/** Frames of different colours, one after the other. */
async function moving(frames: number, edge = 40): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, n) =>
      sharp({
        create: { width: edge, height: edge, channels: 3, background: { r: (n * 97) % 256, g: n, b: 20 } },
      })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pages, { join: { animated: true } })
    .gif({ delay: pages.map(() => 80) })
    .toBuffer();
}

const add = async (who: Person, name: string | undefined, file?: Buffer) => {
  const raw = new FormData();
  if (name !== undefined) raw.set('name', name);
  raw.set('file', new Blob([new Uint8Array(file ?? (await plain(20, 20)))]), 'picture.png');
  return who.client.ask('POST', '/v1/emoji', { raw });
};
const listed = async (who: Person, query = '') => (await who.client.get(`/v1/emoji${query}`)).data;
const bytesOf = async (url: string) => {
  const answer = await fetch(url);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('a custom emoji', () => {
  it('is added by a member, encoded again, and listed for everybody', async () => {
    const added = await add(ada, ':Party_Parrot:', await plain());
    expect(added.status).toBe(200);
    const [made] = added.data;
    expect(made).toMatchObject({ name: 'party_parrot', animated: false, creator: ada.id });
    expect(made.still_url).toBe(made.url);
    expect((await listed(bob)).find(({ name }) => name === 'party_parrot')).toEqual(made);
    const { answer, bytes } = await bytesOf(made.url);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 64 });
  });

  it('keeps its frames, and has the first one for people who prefer less motion', async () => {
    const [made] = (await add(ada, 'dancing_ship', await moving(5))).data;
    expect(made.animated).toBe(true);
    const [whole, still] = [await bytesOf(made.url), await bytesOf(made.still_url)];
    expect(await sharp(whole.bytes).metadata()).toMatchObject({
      pages: 5,
      width: 40,
      delay: Array(5).fill(80),
    });
    expect((await sharp(still.bytes).metadata()).pages).toBeUndefined();
  });

  it('is not enlarged', async () => {
    const [made] = (await add(ada, 'tiny_one', await plain(16, 16))).data;
    expect(await sharp((await bytesOf(made.url)).bytes).metadata()).toMatchObject({ width: 16, height: 16 });
  });

  it.each([
    ['no name', undefined],
    ['one letter', 'x'],
    ['more than 32 letters', 'x'.repeat(33)],
    ['a space', 'party parrot'],
    ['a letter of another script', 'pаrty'],
    ['a letter with a sign', 'pårty'],
    ['an emoji', '🎉🎉'],
    ['digits', '1030'],
    ['digits of an address', 'beef'],
    ['a span of times', '30-11'],
    ['a colon inside', 'a:party'],
    ['a name of Unicode', 'tada'],
    ['what passes for one', 'thumbs_up'],
    ['one in capitals', ':TADA:'],
    ['a skin tone', 'skin-tone-2'],
    ['a NUL', 'par\u0000ty'],
  ])('refuses %s as a name (claim: custom-emoji-names)', async (_, name) => {
    const refused = await add(ada, name);
    expect(refused.body.errors).toEqual([expect.objectContaining({ code: 4002, reason: 'name' })]);
  });

  it('says which emoji has the name already', async () => {
    expect((await add(ada, 'tada')).body.errors[0].message).toContain('🎉');
  });

  it('has its name alone, also when two people add it at once', async () => {
    const answers = await Promise.all([ada, bob, root].map((who) => add(who, 'ship_it_now')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([body.errors[0].code, body.errors[0].reason]).toEqual([4090, 'emoji_name']);
    expect((await listed(ada)).filter(({ name }) => name === 'ship_it_now')).toHaveLength(1);
  });

  it.each([
    ['a text', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a broken picture', async () => (await plain()).subarray(0, 60)],
    ['more than a hundred frames', () => moving(101, 8)],
  ])('refuses %s', async (_, file) => {
    const refused = await add(ada, 'refused_one', await file());
    expect(refused.body.errors).toEqual([expect.objectContaining({ code: 4002, reason: 'file' })]);
  });

  it('refuses a file above 256 KiB, and a body that is no form', async () => {
    expect((await add(ada, 'large_one', Buffer.alloc(256 * 1024 + 1))).code).toBe(4130);
    expect((await ada.client.post('/v1/emoji', { name: 'json_one' })).code).toBe(4150);
    const names = (await listed(ada)).map(({ name }) => name);
    for (const name of ['refused_one', 'large_one', 'json_one']) expect(names).not.toContain(name);
  });

  it('is added once by a request that is repeated', async () => {
    const raw = async (name: string) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(await plain(20, 20))]), 'picture.png');
      form.set('name', name);
      return form;
    };
    const headers = { 'Idempotency-Key': 'one-emoji-please' };
    const ask = async (name: string) =>
      ada.client.ask('POST', '/v1/emoji', { raw: await raw(name), headers });
    const first = await ask('again_and_again');
    expect((await ask('again_and_again')).data).toEqual(first.data);
    expect((await ask('another_thing')).body.errors[0].reason).toBe('idempotency_key');
  });

  it('is deleted by who added it and by administrators, which the audit log tells', async () => {
    await add(ada, 'short_lived');
    await add(ada, 'also_short');
    const refused = await bob.client.delete('/v1/emoji/short_lived');
    expect([refused.code, refused.body.errors[0].reason]).toEqual([4030, 'emoji_of_another']);
    expect((await ada.client.delete('/v1/emoji/Short_Lived')).status).toBe(200);
    expect((await ada.client.delete('/v1/emoji/short_lived')).code).toBe(4040);
    expect((await ada.client.delete('/v1/emoji/%00')).code).toBe(4040);
    expect((await root.client.delete('/v1/emoji/also_short')).status).toBe(200);
    const { data } = await root.client.get('/v1/admin/audit?action=emoji.');
    expect(data.slice(0, 4).map(({ action, actor, detail }) => [action, actor, detail.name])).toEqual([
      ['emoji.deleted', root.id, 'also_short'],
      ['emoji.deleted', ada.id, 'short_lived'],
      ['emoji.added', ada.id, 'also_short'],
      ['emoji.added', ada.id, 'short_lived'],
    ]);
  });

  it('has another address each time that its name is given to a picture', async () => {
    const [first] = (await add(ada, 'new_look')).data;
    await ada.client.delete('/v1/emoji/new_look');
    expect((await bytesOf(first.url)).answer.status).toBe(404);
    const [second] = (await add(bob, 'new_look')).data;
    expect(second.url).not.toBe(first.url);
    for (const wrong of [first.url, second.url.replace('/still/', '/moving/'), second.url.slice(0, -1)])
      expect((await bytesOf(wrong)).answer.status).toBe(404);
  });

  it('is listed by name, page by page', async () => {
    for (const name of ['zz_three', 'zz_one', 'zz_two']) await add(ada, name);
    const all = (await listed(ada, '?limit=200')).map(({ name }) => name);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, body } = await ada.client.get(`/v1/emoji?limit=2${cursor}`);
      found.push(...data.map(({ name }) => name));
      if (!body.meta.next_cursor) break;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(found).toEqual(all);
    expect(found.slice(-3)).toEqual(['zz_one', 'zz_three', 'zz_two']);
    const nul = Buffer.from('["\\u0000"]').toString('base64url');
    expect((await ada.client.get(`/v1/emoji?cursor=${nul}`)).body).toMatchObject({
      errors: [{ code: 4002, reason: 'cursor' }],
    });
  });

  const insertMany = (who: Person, length: number) => {
    const values = Array.from(
      { length },
      (_, n) => `('many_${n}', '${crypto.randomUUID()}', '${who.id}', ${n}, 0, '', NULL)`,
    );
    return runSql(
      server.running.db,
      `INSERT INTO custom_emoji (name, version, created_by, created_at, animated, still, moving) VALUES ${values}`,
    );
  };

  it('is one of two hundred of a member, who leaves room for others', async () => {
    await runSql(server.running.db, 'DELETE FROM custom_emoji');
    await insertMany(bob, 200);
    const refused = await add(bob, 'mine_again');
    expect([refused.code, refused.body.errors[0].reason]).toEqual([4090, 'too_many_own_emoji']);
    expect((await add(ada, 'of_another')).status).toBe(200);
    await bob.client.delete('/v1/emoji/many_0');
    const names = ['mine_again', 'mine_too', 'mine_as_well'];
    const atOnce = await Promise.all(names.map((name) => add(bob, name)));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await runSql(server.running.db, `UPDATE custom_emoji SET created_by = '${root.id}'`);
    expect((await add(root, 'of_an_administrator')).status).toBe(200);
    await runSql(server.running.db, 'DELETE FROM custom_emoji');
  });

  it('is not one of more than a thousand', async () => {
    await insertMany(ada, 1000);
    const refused = await add(ada, 'one_too_many');
    expect([refused.code, refused.body.errors[0].reason]).toEqual([4090, 'too_many_emoji']);
    await runSql(server.running.db, `DELETE FROM custom_emoji WHERE name LIKE 'many%'`);
    expect((await add(ada, 'one_too_many')).status).toBe(200);
  });

  it('stays when the account of who added it is deleted', async () => {
    const leaver = await signUp(server, 'Leaver');
    await add(leaver, 'left_behind');
    const json = { password: 'a password of length' };
    expect((await leaver.client.ask('DELETE', '/v1/users/me', { json })).status).toBe(200);
    expect((await listed(bob)).find(({ name }) => name === 'left_behind').creator).toBe(leaver.id);
  });

  it('is in the archive of who added it', async () => {
    const cleo = await signUp(server, 'Cleo');
    const [made] = (await add(cleo, 'take_along', await moving(3))).data;
    const response = await fetch(`${server.url}/v1/users/me/export`, {
      headers: { Cookie: cleo.client.cookie, Origin: server.url },
    });
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(JSON.parse(strFromU8(files['emoji.json'] as Uint8Array))).toEqual([
      { name: 'take_along', file: 'emoji/take_along.webp', created_at: made.created_at },
    ]);
    expect(Buffer.from(files['emoji/take_along.webp'] as Uint8Array)).toEqual(
      (await bytesOf(made.url)).bytes,
    );
  });
});

describe('a reaction with a custom emoji', () => {
  const posted = async () => {
    const team = await makeTeam(ada, [bob]);
    return (await ada.client.post('/v1/messages', { text: 'Lunch?', addressed_teams: [team] })).data[0].id;
  };
  const pathOf = (message: string, emoji: string) => `/v1/messages/${message}/reactions/${emoji}`;
  const shown = async (message: string) =>
    (await ada.client.get(`/v1/messages/${message}`)).data[0].reactions;

  it('is counted by its name', async () => {
    await add(ada, 'yes_please');
    const id = await posted();
    const { data } = await bob.client.put(pathOf(id, 'yes_please'));
    expect(data[0].reactions).toEqual([{ emoji: 'yes_please', num: 1, mine: true }]);
    await ada.client.put(pathOf(id, 'YES_PLEASE'));
    expect(await shown(id)).toEqual([{ emoji: 'yes_please', num: 2, mine: true }]);
    const who = await ada.client.get(`/v1/messages/${id}/reactions?emoji=yes_please`);
    expect(who.data.map(({ emoji, given, user }) => [emoji, given, user.id])).toEqual([
      ['yes_please', 'yes_please', ada.id],
      ['yes_please', 'yes_please', bob.id],
    ]);
    await bob.client.delete(pathOf(id, 'yes_please'));
    expect(await shown(id)).toEqual([{ emoji: 'yes_please', num: 1, mine: true }]);
  });

  it.each(['no_such_emoji', 'tada', ':yes_please:', 'x'.repeat(40), 'yes please'])(
    'is refused for %s',
    async (name) => {
      const id = await posted();
      const refused = await bob.client.put(pathOf(id, encodeURIComponent(name)));
      expect(refused.body.errors).toEqual([expect.objectContaining({ code: 4002, reason: 'emoji' })]);
      expect(await shown(id)).toBeUndefined();
    },
  );

  it('stays when the emoji is deleted, may be taken back, and is joined by nobody (claim: custom-emoji-deleted)', async () => {
    await add(ada, 'gone_soon');
    const id = await posted();
    await bob.client.put(pathOf(id, 'gone_soon'));
    await ada.client.delete('/v1/emoji/gone_soon');
    expect(await shown(id)).toEqual([{ emoji: 'gone_soon', num: 1, mine: false }]);
    expect((await ada.client.put(pathOf(id, 'gone_soon'))).code).toBe(4002);
    expect((await bob.client.put(pathOf(id, 'gone_soon'))).status).toBe(200);
    await bob.client.delete(pathOf(id, 'gone_soon'));
    expect(await shown(id)).toBeUndefined();
  });
});

describe('CUSTOM_EMOJI', () => {
  let other: TestServer | undefined;
  afterEach(() => other?.stop());

  it.each([
    ['admins', [200, 4030], 'emoji_admins'],
    ['off', [4030, 4030], 'emoji_off'],
  ] as const)('%s says who adds', async (setting, codes, reason) => {
    other = await startTestServer({ CUSTOM_EMOJI: setting });
    const [first, second] = [await signUp(other, 'First'), await signUp(other, 'Second')];
    const answers = [await add(first, 'by_first'), await add(second, 'by_second')];
    expect(answers.map(({ code, status }) => code ?? status)).toEqual(codes);
    expect(answers[1]?.body.errors[0].reason).toBe(reason);
    expect((await first.client.get('/v1/server')).data[0].custom_emoji).toBe(setting);
    expect((await listed(second)).length).toBe(codes[0] === 200 ? 1 : 0);
  });
});
