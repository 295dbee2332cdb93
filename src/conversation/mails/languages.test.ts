import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailsGo, mailsSettle, proveAddress } from '../../../test/support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../../../test/support/people.ts';
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
  expect(mailbox.of(bob.email).every(({ html }) => html.includes('<html lang="en" dir="ltr">'))).toBe(true);
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
  expect(first?.text).toContain('für Bob Test');
  expect(first?.text).toContain('Adresse bestätigen: http');
  expect(message?.text).toContain('> Steam is up');
  expect(message?.text).toContain('Keine Mails dieser Art mehr: http');
  expect(mailbox.of(bob.email).every(({ html }) => html.includes('<html lang="de" dir="ltr">'))).toBe(true);
});

it('mails are in Arabic, from right to left, for a reader who signed up in Arabic', async () => {
  const bob = await signUp(server, 'Bob', { language: 'ar' });
  expect(await mailAbout(bob)).toEqual([
    'هل هذا عنوانك؟',
    'دعوة من Ada Test إلى Engine room',
    'رسالة من Ada Test في Engine room',
    'رسالتان جديدتان من Ada Test',
    'أصبح دورك مشرفًا في Engine room',
    'انتهت عضويتك في Engine room',
    'تم تغيير كلمة مرورك',
    'تعيين كلمة مرور جديدة',
  ]);
  const [first, , message] = mailbox.of(bob.email);
  expect(first?.text).toContain('باسم \u2068Bob Test\u2069');
  expect(first?.text).toContain('تأكيد العنوان: http');
  // Names stand apart from the words around them; a subject is one line without such marks.
  expect(message?.text).toContain('رسالة من \u2068Ada Test\u2069 في \u2068Engine room\u2069');
  expect(message?.text).toContain('> Steam is up');
  expect(message?.text).toContain('إيقاف البريد من هذا النوع: http');
  // A quoted text keeps its own direction, and the line beside it stands on the right.
  expect(message?.html).toMatch(/border-right:3px.*<p dir="auto"[^>]*>Steam is up</s);
  expect(mailbox.of(bob.email).every(({ html }) => html.includes('<html lang="ar" dir="rtl">'))).toBe(true);
  expect(mailbox.of(bob.email).every(({ html }) => html.includes('<div lang="ar" dir="rtl"'))).toBe(true);
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
  await mailsSettle(server);
  await speak(bob, 'en');
  await bob.client.post('/v1/password_resets', { email: bob.email });
  await mailsSettle(server);
  expect(subjects(bob.email).slice(1)).toEqual([
    'Ada Test lädt dich zu Engine room ein',
    'Set a new password',
  ]);
});

let newcomers = 0;
/** Signs up with a browser of these languages. */
async function newcomer(acceptLanguage: string, fields: object = {}) {
  const client = server.anonymous();
  const email = `newcomer${++newcomers}@example.org`;
  const names = { first_name: 'New', last_name: 'Comer' };
  const account = { email, password: 'a password of length', ...names, ...fields };
  const { data } = await client.post('/v1/users', account, { 'Accept-Language': acceptLanguage });
  return { id: data[0].id as string, email, client, language: data[0].language as string };
}

it.each([
  ['de-DE,de;q=0.9,en-US;q=0.8', 'de'],
  ['de, en', 'de'],
  ['en-GB, de;q=0.9', 'en'],
  ['fr, de-AT;q=0.5', 'de'],
  ['fr', 'en'],
  ['ar-EG, en;q=0.9', 'ar'],
  ['*', 'en'],
  ['', 'en'],
  ['de;q=0', 'en'],
  [';;q=x,=', 'en'],
])('a person who signs up with “Accept-Language: %s” gets mails in %s', async (header, language) => {
  const person = await newcomer(header);
  expect(person.language).toBe(language);
  const { text } = await mailbox.next(person.email);
  expect(text).toContain(
    { en: 'for New Comer', de: 'für New Comer', ar: 'أُنشئ بهذا العنوان حساب' }[language],
  );
});

it('a language in the body comes before that of the browser', async () => {
  expect(await newcomer('de', { language: 'en' })).toMatchObject({ language: 'en' });
});

describe('the page that stops mails', () => {
  async function pagesOf(person: Person, header: string): Promise<string[]> {
    await join(ada, team, person);
    await ada.client.post('/v1/messages', { text: 'For you', addressed_users: [person.id] });
    await mailsGo(server);
    const mail = mailbox.of(person.email).at(-1);
    const path = /<.*(\/v1\/unsubscribe\/.*)>/.exec(mail?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
    const headers = { 'Accept-Language': header };
    mailbox.clear();
    const page = await server.anonymous().get(path, { headers });
    const done = await server.anonymous().ask('POST', path, { headers });
    expect([page.status, done.status]).toEqual([200, 200]);
    return [page.text, done.text];
  }
  const ENGLISH = [
    expect.stringMatching(/<html lang="en" dir="ltr">.*Stop these mails\?.*<button>Stop them<\/button>/s),
    expect.stringMatching(/<html lang="en" dir="ltr">.*You get no more mails of this kind/s),
  ];
  const GERMAN = [
    expect.stringMatching(
      /<html lang="de" dir="ltr">.*Diese Mails abbestellen\?.*<button>Abbestellen<\/button>/s,
    ),
    expect.stringMatching(/<html lang="de" dir="ltr">.*Du bekommst keine Mails dieser Art mehr/s),
  ];
  const ARABIC = [
    expect.stringMatching(/<html lang="ar" dir="rtl">.*إيقاف هذا البريد؟.*<button>إيقاف<\/button>/s),
    expect.stringMatching(/<html lang="ar" dir="rtl">.*لن يصلك بعد الآن بريد من هذا النوع/s),
  ];

  it('is in the language of the account', async () => {
    expect(await pagesOf(await newcomer('de'), 'en')).toEqual(GERMAN);
    expect(await pagesOf(await newcomer('en'), 'de')).toEqual(ENGLISH);
    expect(await pagesOf(await newcomer('ar'), 'de')).toEqual(ARABIC);
  });

  it('is in that of the browser for a person without a language, whatever else they change', async () => {
    const person = await newcomer('fr');
    await person.client.patch('/v1/users/me', { title: 'Engineer' });
    expect(await pagesOf(person, 'de-CH, en;q=0.5')).toEqual(GERMAN);
    expect(await pagesOf(await newcomer('fr'), 'fr')).toEqual(ENGLISH);
  });
});

it('an address without an account is invited in the language of the one who invites', async () => {
  await speak(ada, 'de');
  await ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['new@example.org'] });
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
