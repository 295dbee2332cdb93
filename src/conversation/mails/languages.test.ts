import { beforeAll, beforeEach, expect, it } from 'vitest';
import { mailsGo, mailsSettle, proveAddress } from '../../../test/support/mailbox.ts';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, mailbox, ada } = scene({ people: ['Ada'], mail: true });
let team: string;

beforeAll(async () => {
  await proveAddress(mailbox, ada);
});
beforeEach(async () => {
  team = await makeTeam(ada, [], 'Engine room');
  await mailsSettle(server);
  mailbox.clear();
});

const subjects = (email: string) => mailbox.of(email).map(({ subject }) => subject);
const speak = (person: Person, language: string) => person.client.patch('/v1/users/me', { language });

/** Has the person mailed about everything that people do. @returns the subjects, in order */
async function mailAbout(person: Person): Promise<string[]> {
  await proveAddress(mailbox, person);
  const { data } = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [person.email] });
  await mailsSettle(server);
  await person.client.put(`/v1/invitations/${data[0].token}`);
  await ada.client.post('/v1/messages', { text: 'Steam is up', addressed_teams: [team] });
  await mailsGo(server);
  await ada.client.post('/v1/messages', { text: 'Only you', addressed_users: [person.id] });
  await ada.client.post('/v1/messages', { text: 'And you', addressed_users: [person.id] });
  await mailsGo(server);
  await ada.client.patch(`/v1/teams/${team}/users/${person.id}`, { membership_type: 1 });
  await mailsSettle(server);
  server.clock.advance(2 * 3600);
  await ada.client.delete(`/v1/teams/${team}/users/${person.id}`);
  await mailsSettle(server);
  await person.client.post('/v1/users/me/password', {
    current: 'a password of length',
    password: 'another password of length',
  });
  await mailsSettle(server);
  await person.client.post('/v1/password_resets', { email: person.email });
  await mailsSettle(server);
  return subjects(person.email);
}

it('mails are in English for a reader who chose nothing', async () => {
  const bob = await signUp(server, 'Bob');
  expect(await mailAbout(bob)).toEqual([
    'Is this your address?',
    'Ada Test invites you to Engine room',
    'Ada Test wrote in Engine room',
    '2 new messages from Ada Test',
    'You are now an admin of Engine room',
    'You are no longer in Engine room',
    'Your password was changed',
    'Set a new password',
  ]);
  expect(mailbox.of(bob.email).every(({ html }) => html.includes('<html lang="en">'))).toBe(true);
});

it('mails are in German for a reader who signed up in German', async () => {
  const bob = await signUp(server, 'Bob', { language: 'de' });
  expect(await mailAbout(bob)).toEqual([
    'Ist das deine Adresse?',
    'Ada Test lädt dich zu Engine room ein',
    'Ada Test hat in Engine room geschrieben',
    '2 neue Nachrichten von Ada Test',
    'Du verwaltest jetzt Engine room',
    'Du bist nicht mehr in Engine room',
    'Dein Passwort wurde geändert',
    'Neues Passwort setzen',
  ]);
  const [first, , message] = mailbox.of(bob.email);
  expect(first?.text).toContain('Hallo Bob,');
  expect(first?.text).toContain('Adresse bestätigen: http');
  expect(message?.text).toContain('> Steam is up');
  expect(message?.text).toContain('Keine Mails dieser Art mehr: http');
  expect(mailbox.of(bob.email).every(({ html }) => html.includes('<html lang="de">'))).toBe(true);
});

it('the latest choice counts, and preferences stay beside it', async () => {
  const bob = await signUp(server, 'Bob');
  const me = async () => (await bob.client.get('/v1/users/me')).data[0];
  expect((await me()).language).toBe('en');
  await bob.client.patch('/v1/users/me', { prefs: { email_on_team_message: false } });
  expect((await speak(bob, 'de')).data[0].language).toBe('de');
  await bob.client.patch('/v1/users/me', { prefs: { email_on_at_mention: false } });
  expect(await me()).toMatchObject({
    language: 'de',
    prefs: { email_on_team_message: false, email_on_at_mention: false, email_on_direct_message: true },
  });
  await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [bob.email] });
  await speak(bob, 'en');
  await bob.client.post('/v1/password_resets', { email: bob.email });
  await mailsSettle(server);
  expect(subjects(bob.email).slice(1)).toEqual([
    'Ada Test lädt dich zu Engine room ein',
    'Set a new password',
  ]);
});

it('an address without an account is invited in the language of the one who invites', async () => {
  await speak(ada, 'de');
  await ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['new@example.org'] });
  await speak(ada, 'en');
  await mailsSettle(server);
  expect(subjects('new@example.org')).toEqual(['Ada Test lädt dich zu Engine room ein']);
});

it('a language without texts is refused', async () => {
  const refused = await speak(ada, 'xx');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('language');
});

it('no value but a language is stored, nor an account made with another', async () => {
  await speak(ada, 'de');
  for (const language of ['', 'DE', 'de-AT', '__proto__', null, 1, true, ['de'], { en: 'de' }]) {
    const change = await ada.client.patch('/v1/users/me', { language, first_name: 'Changed' });
    expect(change, JSON.stringify(language)).toMatchObject({ status: 400, code: 4002 });
    const email = 'half@example.org';
    const account = {
      email,
      password: 'a password of length',
      first_name: 'Half',
      last_name: 'Made',
      language,
    };
    expect((await server.anonymous().post('/v1/users', account)).status, JSON.stringify(language)).toBe(400);
    const signIn = { email, password: account.password };
    expect((await server.anonymous().post('/v1/sessions', signIn)).status).toBe(401);
  }
  const { data } = await ada.client.get('/v1/users/me');
  expect(data[0]).toMatchObject({ language: 'de', first_name: 'Ada' });
  const withoutSession = await server.anonymous().patch('/v1/users/me', { language: 'en' });
  expect(withoutSession.status).toBe(401);
  await speak(ada, 'en');
});
