/**
 * The attacker gives an address that runs code or shows a page of their own where people and clients expect a link:
 * as an item of type `link` among the attachments, as an application's icon, or as its base address. Each is refused
 * unless it is an http or https address, in whichever form it comes in.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { host, person } = scene({ people: ['Person'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(person);
});

const HARMFUL = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
];

const post = (attachments: unknown) =>
  person.client.post('/v1/messages', { text: 'look', addressed_teams: [team], attachments });

describe.each(HARMFUL)('claim: links-are-web-addresses — %j', (url) => {
  it('is no link of a message, in any form', async () => {
    const forms = [
      { links: [{ url }] },
      { type: 'link', url },
      [{ type: 'link', url }],
      [{ kind: 'mine' }, { type: 'link', url, title: 'x' }],
    ];
    for (const form of forms) expect((await post(form)).code).toBe(4002);
  });

  it('is no address of an application', async () => {
    const { id } = await register(person, host);
    for (const field of ['icon', 'base_url']) {
      const answer = await person.client.patch(`/v1/applications/${id}`, { [field]: url });
      expect([answer.code, answer.body.errors[0].reason]).toEqual([4002, field]);
    }
  });
});

it('a link item with a web address is kept as it is, and so is what is no link', async () => {
  const items = [{ type: 'link', url: 'https://example.org/', title: 'E', own: 1 }, { url: 'javascript:x' }];
  const posted = await post(items);
  expect(posted.data[0].attachments).toEqual(items);
});

it.each(['🚀', 'https://example.org/icon.png', ''])('%j is an icon', async (icon) => {
  const { id } = await register(person, host);
  expect((await person.client.patch(`/v1/applications/${id}`, { icon })).data[0].icon_source).toBe(icon);
});
