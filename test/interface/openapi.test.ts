import { beforeAll, expect, it } from 'vitest';
import { documentedOperations, problemOf } from '../support/openapi.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { ada, grace } = scene({ people: ['Ada', 'Grace'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [grace]);
});

const posting = documentedOperations().find(({ operationId }) => operationId === 'postMessages');
const schema = posting?.requestBody?.content?.['application/json']?.schema;

it('POST /v1/messages takes each form that its documentation has, and no other', async () => {
  const to = { addressed_teams: [team] };
  const links = [{ url: 'https://example.org', title: 'Example' }];
  const taken = [
    { text: 'One', ...to },
    { text: ['Two', 'lines'], ...to },
    { text: 'Hello', addressed_users: [grace.id] },
    { text: 'Hello', addressed_users: { ids: [grace.id] } },
    { text: 'Hello', addressed_users: { emails: [grace.email] } },
    { attachments: { links }, ...to },
    { attachments: [{ mine: true }], ...to },
    { attachments: { mine: true }, ...to },
    { text: 'Hello', attachments: { files: [], links: [] }, ...to },
  ];
  for (const body of taken) {
    expect((await ada.client.post('/v1/messages', body)).status, JSON.stringify(body)).toBe(200);
    expect(problemOf(schema, body), JSON.stringify(body)).toBeUndefined();
  }
  const refused = [
    { text: 1, ...to },
    { text: ['One', 2], ...to },
    { text: 'Hello', addressed_teams: team },
    { text: 'Hello', addressed_teams: [team, grace.id] },
    { text: 'Hello', addressed_users: grace.id },
    { text: 'Hello', addressed_users: { emails: 1 } },
    { attachments: { links: [{ title: 'without an address' }] }, ...to },
    { text: '{0}', mentions: [{ type: 'other', id: team }], ...to },
  ];
  for (const body of refused) {
    expect((await ada.client.post('/v1/messages', body)).status, JSON.stringify(body)).toBe(400);
    expect(problemOf(schema, body), JSON.stringify(body)).toBeDefined();
  }
});
