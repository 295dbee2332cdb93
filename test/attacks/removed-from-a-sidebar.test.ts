// Bob and Ann talk in a sidebar beside a message of their team. Bob is removed from the team and leaves his window open:
// he hopes that its stream of events goes on with what is said in the sidebar, or that a stream which resumes brings
// what was changed meanwhile. Who gets an event is decided when it is sent: he gets no text and no edit any more. When he
// comes back to the team, he sees the sidebar again.
import { expect, it } from 'vitest';
import { EventStream } from '../support/event-stream.ts';
import { join, makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { ann, bob } = scene({ people: ['Ann', 'Bob'] });

async function talk() {
  const team = await makeTeam(ann, [bob]);
  const posted = await ann.client.post('/v1/messages', { text: 'A plan', addressed_teams: [team] });
  const message = posted.data[0].id as string;
  const made = await ann.client.post(`/v1/messages/${message}/sidebars`, { users: [bob.id], text: 'Hello' });
  return { team, message, sidebar: made.data[0].id as string };
}

/** Reads the stream up to an event of Bob's own that comes after everything else. */
async function everything(stream: EventStream, title: string): Promise<string> {
  await stream.until((events) =>
    events.some(({ kind, data }) => kind === 'user.updated' && data.user.title === title),
  );
  stream.close();
  return JSON.stringify(stream.events);
}

it('a removed member hears no more of a sidebar, live or resumed', async () => {
  const { team, message, sidebar } = await talk();
  const first = await EventStream.open(bob.client);
  const before = first.lastId;
  const said = await ann.client.post(`/v1/sidebars/${sidebar}/messages`, { text: 'as a member' });
  await first.until((events) => JSON.stringify(events).includes('as a member'));
  await ann.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  const later = await ann.client.post(`/v1/sidebars/${sidebar}/messages`, { text: 'behind his back' });
  expect(later.status).toBe(200);
  await ann.client.patch(`/v1/messages/${said.data[0].id}`, { text: 'an edit behind his back' });
  await bob.client.patch('/v1/users/me', { title: 'removed' });
  const live = await everything(first, 'removed');
  expect(live).not.toContain('behind his back');
  expect(live).not.toContain(later.data[0].id);
  const resumed = await everything(await EventStream.open(bob.client, before), 'removed');
  expect(resumed).not.toContain('behind his back');
  expect(resumed).not.toContain('as a member');
  expect(resumed).not.toContain(message);
});

it('who comes back hears of it again', async () => {
  const { team, sidebar } = await talk();
  await ann.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  await join(ann, team, bob);
  const stream = await EventStream.open(bob.client);
  await ann.client.post(`/v1/sidebars/${sidebar}/messages`, { text: 'welcome back' });
  await bob.client.patch('/v1/users/me', { title: 'back' });
  expect(await everything(stream, 'back')).toContain('welcome back');
});
