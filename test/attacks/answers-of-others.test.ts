/**
 * Callers ask at the same moment, so that their sessions and tokens are looked up by one statement, and their reads share
 * connections. Among them are a caller who has signed out, forged cookies and tokens that never existed. Each gets an
 * answer about themselves, or none.
 */
import { expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { forged } from '../support/forged.ts';
import { authorize, install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const COPIES = 12;
/** The first wave opens the connections, so only later ones arrive at one moment. */
const WAVES = 4;

const { server, host, ada, bob, cyn } = scene({ people: ['Ada', 'Bob', 'Cyn'] });

it('no caller of one moment gets an answer about another', async () => {
  const application = await register(ada, host);
  const team = await makeTeam(ada, [bob]);
  await install(ada, team, application);
  const bobsToken = (await authorize(bob, team, application)).access_token;
  const signedOut = cyn.client.copy();
  const [session = ''] = ada.client.cookie.split('; ');
  const impostor = new Client(server.url, { Cookie: forged(session) });
  await cyn.client.delete('/v1/sessions/current');
  const callers: [Client, string | number][] = [
    [ada.client, ada.id],
    [bob.client, bob.id],
    [server.anonymous().withToken(bobsToken), bob.id],
    [signedOut, 4010],
    [impostor, 4010],
    [server.anonymous(), 4010],
    [server.anonymous().withToken(forged(bobsToken)), 4012],
    [server.anonymous().withToken('never-issued'), 4012],
  ];
  const asked = Array.from({ length: COPIES }, () => callers).flat();
  const answerTo = async (client: Client) => {
    const { status, code, data } = await client.get('/v1/users/me');
    return status === 200 ? data[0].id : code;
  };
  for (let wave = 0; wave < WAVES; wave++) {
    const answers = await Promise.all(asked.map(([client]) => answerTo(client)));
    expect(answers).toEqual(asked.map(([, expected]) => expected));
  }
});
