import { beforeAll, describe, expect, it } from 'vitest';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, ada, bob, cy } = scene({ people: ['Ada', 'Bob', 'Cy'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  await makeTeam(cy, [ada]);
});

async function say(text: string, to: object = { addressed_teams: [team] }): Promise<string> {
  return (await ada.client.post('/v1/messages', { text, ...to })).data[0].id;
}

async function find(q: string, viewer = bob, more = ''): Promise<string[]> {
  const { data, text } = await viewer.client.get(`/v1/messages?q=${encodeURIComponent(q)}${more}`);
  if (!data) throw new Error(text);
  return data.map((message) => message.id);
}

describe('finds', () => {
  it.each([
    ['a whole word', 'The engine weaves patterns', 'engine'],
    ['the beginning of a word', 'The engine weaves patterns', 'patt'],
    ['several words in any order', 'Jacquard looms weave flowers', 'flow jacq'],
    ['without regard to case', 'ANALYTICAL', 'analytical'],
    ['without accents', 'Zoë ate crème brûlée', 'creme brulee'],
    ['with accents what has none', 'a naive resume', 'naïve résumé'],
    ['Greek', 'Η μηχανή υφαίνει', 'μηχανη'],
    ['Cyrillic', 'Машина ткёт узоры', 'маши'],
    ['Hindi', 'मशीन पैटर्न बुनती है', 'पैटर्न'],
    ['Arabic', 'الآلة تنسج الأنماط', 'تنسج'],
    ['Hebrew', 'המכונה אורגת', 'המכונה'],
    ['Chinese inside a sentence', '分析机编织代数图案', '代数'],
    ['Japanese inside a sentence', '解析機関は模様を織る', '模様'],
    ['Thai inside a sentence', 'เครื่องจักรทอลวดลาย', 'ลวดลาย'],
    ['Korean', '해석기관이 무늬를 짠다', '무늬'],
    ['a young script', '𞤀𞤣𞤤𞤢𞤥 𞤨𞤵𞤤𞤢𞤪', '𞤨𞤵𞤤'],
    ['full-width letters', 'ＡＢＣ１２３', 'abc123'],
    ['sharp s by two letters', 'Die Straße ist gesperrt', 'STRASSE'],
    ['sharp s by itself', 'Die STRASSE ist gesperrt', 'straße'],
    ['dotless i', 'ISPARTA ılık', 'ilik'],
    ['letters with a stroke', 'Łukasz Đặng møder Ħaŧŧi', 'lukasz dang moder hatti'],
    ['letters with a stroke what has none', 'Lukasz flies to Da Nang', 'Łukasz Đà Nẵng'],
    ['two letters in one', 'Ærø, Œuvre, Þór', 'aero oeuvre thor'],
    ['two letters in one by themselves', 'an oeuvre of aether', 'Œuvre Æther'],
    ['letters of few languages', 'Guðrún, əlifba, ŋ, ĸ', 'gudrun elifba n q'],
    ['a large sharp s', 'GROẞE STRAẞE', 'grosse strasse'],
    ['final sigma', 'ΟΔΟΣΗΜΑΝΣΗ', 'ΟΔΟΣ'],
    ['a soft hyphen', 'co\u00adoperate soon', 'cooperate'],
    ['zero-width characters', 'data\u200bbase\ufeffname', 'databasename'],
    ['Arabic with vowel points', 'كتب مُحَمَّد', 'محمد'],
    ['Hebrew with points', 'שָׁלוֹם', 'שלום'],
    ['signs that belong to a word', 'written in C++17 and C#', 'c++ c#'],
    ['numbers', 'order 4711 shipped', '4711'],
    ['signs between letters', 'see foo_bar-baz.qux', 'baz qux'],
    ['words that a query language knows', 'this AND that OR NOT near', 'and or not'],
  ])('%s', async (_, text, q) => {
    const id = await say(text);
    expect(await find(q)).toContain(id);
    expect(await find(`${q} absentword`)).toEqual([]);
  });

  it('C++ and C# without everything that begins with c', async () => {
    const cpp = await say('numbering in C++');
    const sharp = await say('numbering in c#, too');
    const plain = await say('numbering in c or cobol');
    expect(await find('numbering c++')).toEqual([cpp]);
    expect(await find('numbering C#')).toEqual([sharp]);
    expect(await find('numbering c')).toEqual([plain, sharp, cpp]);
  });

  it('what was said in replies, sidebars, attachments and edits; not what is gone', async () => {
    const id = await say('wombat');
    const reply = await bob.client.post(`/v1/messages/${id}/replies`, { text: 'wombats are fine' });
    const attached = await say('see', {
      addressed_teams: [team],
      attachments: { links: [{ url: 'https://example.org/x', title: 'All about wombats' }] },
    });
    expect(await find('wombat')).toEqual([attached, reply.data[0].id, id]);
    await ada.client.patch(`/v1/messages/${id}`, { text: 'a quokka' });
    await ada.client.delete(`/v1/messages/${attached}`);
    expect(await find('wombat')).toEqual([reply.data[0].id]);
    expect(await find('quokka')).toEqual([id]);
  });

  it('only what the caller may see', async () => {
    const inTeam = await say('numbat in the team');
    const direct = await say('numbat for bob', { addressed_users: [bob.id] });
    const opened = await ada.client.post(`/v1/messages/${inTeam}/sidebars`, {
      users: [bob.id],
      text: 'numbat aside',
    });
    const aside = (await bob.client.get(`/v1/sidebars/${opened.data[0].id}/messages`)).data[0].id;
    expect((await find('numbat')).sort()).toEqual([inTeam, direct, aside].sort());
    expect(await find('numbat', cy)).toEqual([]);
    const outsider = await signUp(server, 'Outsider');
    const joined = await makeTeam(ada, [outsider]);
    expect(await find('numbat', outsider)).toEqual([]);
    expect(await find('numbat', bob, `&team=${team}&tag=_inbox`)).toEqual([aside, inTeam].sort().reverse());
    expect(await find('numbat', ada, `&team=${joined}`)).toEqual([]);
    expect((await cy.client.get(`/v1/messages?q=numbat&team=${team}`)).code).toBe(4040);
  });

  it('in many teams at once, again and again, and in none of the others', async () => {
    const dee = await signUp(server, 'Dee');
    const teams = await Promise.all(Array.from({ length: 20 }, () => makeTeam(dee, [ada])));
    const said: string[] = [];
    for (const to of teams)
      for (let turn = 0; turn < 5; turn++) said.push(await say(`dibbler ${turn}`, { addressed_teams: [to] }));
    const link = await say('dibbler https://example.org/', { addressed_teams: [teams[3]] });
    const direct = await say('dibbler for dee', { addressed_users: [dee.id] });
    await say('dibbler elsewhere');
    const all = [...said, link, direct].sort().reverse();
    // PostgreSQL plans a statement without its values from the sixth time on, if it is left to it.
    for (let turn = 0; turn < 8; turn++) expect(await find('dibbler', dee, '&limit=200')).toEqual(all);
    expect(await find('dibbler 3', dee, '&limit=200')).toHaveLength(20);
    expect(await find('dibbler', dee, '&has=link')).toEqual([link]);
    expect(await find('dibbler', dee, `&team=${teams[3]}&limit=200`)).toHaveLength(6);
    expect(await find('dibbler', dee, `&author=${dee.id}`)).toEqual([]);
  });

  it('nothing any more for a person who was removed', async () => {
    const guest = await signUp(server, 'Guest');
    const own = await makeTeam(ada, [guest]);
    await say('bilby', { addressed_teams: [own] });
    expect(await find('bilby', guest)).toHaveLength(1);
    await ada.client.delete(`/v1/teams/${own}/users/${guest.id}`);
    expect(await find('bilby', guest)).toEqual([]);
    await ada.client.delete(`/v1/teams/${own}`);
    expect(await find('bilby', ada)).toEqual([]);
  });
});

it('gives pages, the newest first, each message once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.push(await say(`potoroo ${n}`));
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, body } = await bob.client.get(`/v1/messages?q=potoroo&limit=3${cursor}`);
    found.push(...data.map((message) => message.id));
    if (!body.meta.next_cursor) break;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
  expect(found).toEqual(ids.reverse());
});

it.each([1, 4, 5])('gives a cursor only where more is to come, with a limit of %s', async (limit) => {
  const word = `bettong${limit}end`;
  for (let n = 0; n < 4; n++) await say(`${word} ${n}`);
  let cursor = '';
  for (let left = 4; left > 0; left -= limit) {
    const { data, body } = await bob.client.get(`/v1/messages?q=${word}&limit=${limit}${cursor}`);
    expect(data).toHaveLength(Math.min(left, limit));
    if (left > limit) expect(body.meta.next_cursor).toBeTypeOf('string');
    else expect(body.meta.next_cursor).toBeNull();
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
});

describe('narrowed', () => {
  it('by author and by what a message holds', async () => {
    const link = await say('wallabs', {
      addressed_teams: [team],
      attachments: { links: [{ url: 'https://example.org' }] },
    });
    const inText = await say('wallabs at https://example.org/wallabs');
    const plain = await say('wallabs, that is: https');
    const { data } = await bob.client.post('/v1/messages', { text: 'wallabs', addressed_teams: [team] });
    expect(await find('wallabs', bob, `&author=${bob.id}`)).toEqual([data[0].id]);
    expect(await find('wallabs', bob, `&author=${ada.id}`)).toEqual([plain, inText, link]);
    expect(await find('wallabs', bob, '&has=link')).toEqual([inText, link]);
    expect(await find('wallabs', bob, `&has=link&author=${bob.id}`)).toEqual([]);
    for (const has of ['file', 'object']) expect(await find('wallabs', bob, `&has=${has}`)).toEqual([]);
    await ada.client.patch(`/v1/messages/${inText}`, { text: 'wallabs without an address' });
    expect(await find('wallabs', bob, '&has=link')).toEqual([link]);
    expect(await find('wallabs', cy, `&author=${ada.id}`)).toEqual([]);
  });

  it('to uploads, and to things of applications', async () => {
    const host = await new ApplicationHost().start();
    try {
      const application = await register(ada, host);
      await install(ada, team, application);
      const { access_token } = await authorize(ada, team, application);
      const made = await application.credentials.post(`/v1/applications/${application.id}/objects`, {
        team,
        type: 'task',
        name: 'Task',
        url: '1',
      });
      const { data } = await ada.client.withToken(access_token).post('/v1/messages', {
        text: 'okapi {0}',
        addressed_teams: [team],
        mentions: [{ type: 'appobject', id: made.data[0].id, name: 'Task' }],
      });
      const raw = new FormData();
      raw.set('file', new Blob(['okapis']), 'list.txt');
      const upload = await ada.client.ask('POST', '/v1/attachments', { raw });
      const file = await say('okapi', {
        addressed_teams: [team],
        attachments: { files: [upload.data[0].id] },
      });
      expect(await find('okapi', bob, '&has=object')).toEqual([data[0].id]);
      expect(await find('okapi', bob, '&has=file')).toEqual([file]);
      expect(await find('okapi', bob, '&has=link')).toEqual([]);
    } finally {
      await host.stop();
    }
  });

  it('by time, to the second', async () => {
    const first = await say('pangolin one');
    server.clock.advance(2 * 3600);
    const second = await say('pangolin two');
    server.clock.advance(1);
    const third = await say('pangolin three');
    const at = (await bob.client.get(`/v1/messages/${second}`)).data[0].created_at;
    expect(await find('pangolin', bob, `&after=${at}`)).toEqual([third, second]);
    expect(await find('pangolin', bob, `&before=${at}`)).toEqual([first]);
    expect(await find('pangolin', bob, `&after=${at}&before=${at + 0.5}`)).toEqual([second]);
    expect(await find('pangolin', bob, `&after=${at + 3600}`)).toEqual([]);
    expect(await find('pangolin', bob, '&before=1')).toEqual([]);
    // An edited message keeps its place.
    await ada.client.patch(`/v1/messages/${first}`, { text: 'pangolin one, edited twice' });
    await ada.client.patch(`/v1/messages/${first}`, { text: 'pangolin one, edited' });
    expect(await find('pangolin')).toEqual([third, second, first]);
    expect(await find('pangolin', bob, `&before=${at}`)).toEqual([first]);
  });

  it.each(['author=x', 'after=x', 'before=x', 'has=thing', 'order=oldest', 'around=x'])(
    'not by %s',
    async (wrong) => {
      expect((await bob.client.get(`/v1/messages?q=word&${wrong}`)).code).toBe(4002);
    },
  );

  it('what holds a thing, also without a word, the newest first', async () => {
    const upload = async () => {
      const raw = new FormData();
      raw.set('file', new Blob(['a quokka']), 'list.txt');
      const { data } = await ada.client.ask('POST', '/v1/attachments', { raw });
      return { files: [data[0].id] };
    };
    const holding = async (query: string, viewer = bob) => {
      const { data, body } = await viewer.client.get(`/v1/messages?${query}`);
      return [data.map(({ id }) => id), body.meta.next_cursor];
    };
    const own = await makeTeam(ada, [bob], 'Files');
    const to = { addressed_teams: [own] };
    const first = await say('', { ...to, attachments: await upload() });
    await say('no file', to);
    const { data } = await ada.client.post(`/v1/messages/${first}/replies`, {
      text: 'a newer one',
      attachments: await upload(),
    });
    const [second] = data;
    const link = await say('see https://example.org', to);
    expect(await holding(`has=file&team=${own}`)).toEqual([[second.id, first], null]);
    expect(await holding(`has=file&team=${own}&author=${bob.id}`)).toEqual([[], null]);
    expect(await holding(`has=file&team=${own}&after=${second.created_at}`)).toEqual([[second.id], null]);
    expect(await holding(`has=link&team=${own}`)).toEqual([[link], null]);
    const [page, next] = await holding(`has=file&team=${own}&limit=1`);
    expect(page).toEqual([second.id]);
    expect(await holding(`has=file&team=${own}&limit=1&cursor=${next}`)).toEqual([[first], null]);
    const { body } = await bob.client.get(`/v1/messages?has=file&team=${own}`);
    expect(body.meta.snippets[second.id]).toEqual([{ text: 'a newer one', match: false }]);
    // Only what the caller may see.
    const [seen] = await holding('has=file', cy);
    expect(seen).not.toContain(first);
    expect((await bob.client.get('/v1/messages?has=file&order=oldest')).code).toBe(4002);
    expect((await bob.client.get('/v1/messages?has=file&q=**')).code).toBe(4002);
  });

  it.each(['author=x', 'after=1', 'before=1'])('%s needs a search', async (alone) => {
    expect((await bob.client.get(`/v1/messages?${alone}`)).code).toBe(4002);
  });
});

it('shows where it found it', async () => {
  const text = `${'before '.repeat(40)}<b>Dunnart</b> and dunnarts ${'after '.repeat(60)}`;
  const id = await say(text);
  const { body } = await bob.client.get('/v1/messages?q=dunn');
  const pieces: { text: string; match: boolean }[] = body.meta.snippets[id];
  expect(pieces.filter(({ match }) => match).map(({ text }) => text)).toEqual(['Dunnart', 'dunnarts']);
  const shown = pieces.map(({ text }) => text).join('');
  expect(text).toContain(shown);
  expect(shown.length).toBeLessThanOrEqual(200);
});

it.each([
  ['a word that is longer than what is shown', `see ${'q'.repeat(500)}`, 'qqq', /^q{190,}$/],
  ['a word with signs', 'written in C++, mostly', 'c++', /^C\+\+$/],
  ['a word with unseen characters', 'please co\u00adoperate', 'cooperate', /^co\u00adoperate$/],
])('marks %s', async (_, text, q, marked) => {
  const id = await say(text);
  const { body } = await bob.client.get(`/v1/messages?q=${encodeURIComponent(q)}`);
  const pieces: { text: string; match: boolean }[] = body.meta.snippets[id];
  expect(pieces.filter(({ match }) => match).map((piece) => piece.text)).toEqual([
    expect.stringMatching(marked),
  ]);
  expect(text).toContain(pieces.map((piece) => piece.text).join(''));
});

it('a search without a word is refused', async () => {
  for (const q of ['', ' ', '"', '* ()', '🎉']) {
    expect((await bob.client.get(`/v1/messages?q=${encodeURIComponent(q)}`)).code).toBe(4002);
  }
});
