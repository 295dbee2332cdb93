import { beforeEach, describe, expect, it } from 'vitest';
import { LOWEST_ID, newId } from '#platform/ids.ts';
import { mailsGo, mailsSettle } from '../../../test/support/mailbox.ts';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server, mailbox } = scene({ people: ['First'], mail: true });
let ada: Person;
let bob: Person;
let team: string;

beforeEach(async () => {
  [ada, bob] = [await signUp(server, 'Ada'), await signUp(server, 'Bob')];
  team = await makeTeam(ada, [bob], 'Engine room');
  await mailsGo(server);
  mailbox.clear();
});

const post = async (text: string, to: object = { addressed_teams: [team] }) =>
  (await ada.client.post('/v1/messages', { text, ...to })).data[0].id as string;
const posts = (count: number, text = 'number') =>
  Promise.all(Array.from({ length: count }, (_, n) => post(`${text} ${n}`)));
const mention = async () =>
  post(`@${(await bob.client.get('/v1/users/me')).data[0].username} can you come now?`);
const toBob = () => mailbox.of(bob.email);
const subjects = () => toBob().map(({ subject }) => subject);
const rows = (sql: string, ...values: unknown[]) =>
  runSql<Record<string, unknown>>(server.running.db, sql, values);

describe('a mail of many messages', () => {
  it('begins with those that concern its reader by name (claim: mails-by-urgency)', async () => {
    await posts(60);
    await post('between us', { addressed_users: [bob.id] });
    await mention();
    await mailsGo(server);
    const [mail, ...others] = toBob();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('62 new messages from Ada Test');
    const shown = [...(mail?.text ?? '').matchAll(/^> (.*)$/gm)].map(([, line]) => line as string);
    expect(shown).toHaveLength(50);
    expect(shown[0]).toContain('can you come now?');
    expect(shown[1]).toBe('between us');
    for (const line of shown.slice(2)) expect(line).toMatch(/^number \d+$/);
    expect(mail?.text).toContain('And 12 more (12 in Engine room)');
  });

  it('counts all of them, says where those are that it does not show, and tells of none again', async () => {
    const other = await makeTeam(ada, [bob], 'Boiler');
    for (let hundred = 0; hundred < 5; hundred++) await posts(101);
    await Promise.all(Array.from({ length: 7 }, (_, n) => post(`oil ${n}`, { addressed_teams: [other] })));
    await mention();
    await mailsGo(server);
    const [mail] = toBob();
    expect(mail?.subject).toBe('513 new messages from Ada Test');
    expect(mail?.text).toContain('can you come now?');
    expect(mail?.text).toMatch(/And 463 more \(456 in Engine room, 7 in Boiler\)/);
    await mailsGo(server);
    expect(toBob()).toHaveLength(1);
  });

  it('shows fifty of those that concern its reader by name, and counts the others by kind', async () => {
    const name = (await bob.client.get('/v1/users/me')).data[0].username;
    await posts(52, `@${name} number`);
    await Promise.all(Array.from({ length: 3 }, () => post('psst', { addressed_users: [bob.id] })));
    await mailsGo(server);
    expect(toBob()[0]?.subject).toBe('55 new messages from Ada Test');
    expect(toBob()[0]?.text).toContain('And 5 more (2 mentions in Engine room, 3 direct)');
    await mailsGo(server);
    expect(toBob()).toHaveLength(1);
  });
});

describe('mails about teams', () => {
  it('take no row for a message and member (claim: posts-write-no-row-for-a-reader)', async () => {
    await posts(20);
    await mailsGo(server);
    expect(toBob()).toHaveLength(1);
    expect(await rows('SELECT message_id FROM mail_notifications WHERE user_id = ?', bob.id)).toEqual([]);
    expect(await rows('SELECT waits FROM mail_cursors WHERE user_id = ?', bob.id)).toEqual([{ waits: 0 }]);
    expect(await rows('SELECT team_id FROM mail_streams')).toEqual([]);
  });

  it('are one for what comes within the time of a batch, whichever team it is in', async () => {
    const other = await makeTeam(ada, [bob], 'Boiler');
    await post('at first');
    server.clock.advance(30);
    await post('half a minute later', { addressed_teams: [other] });
    server.clock.advance(31);
    await mailsSettle(server);
    expect(subjects()).toEqual(['2 new messages from Ada Test']);
    server.clock.advance(20);
    await post('after the mail', { addressed_teams: [other] });
    server.clock.advance(12);
    await mailsSettle(server);
    expect(toBob()).toHaveLength(1);
    server.clock.advance(50);
    await mailsSettle(server);
    expect(subjects()).toEqual(['2 new messages from Ada Test', 'Ada Test wrote in Boiler']);
  });

  it('tell nothing that was posted while the team was muted or its mails were off', async () => {
    const mute = (is_muted: boolean) => bob.client.patch(`/v1/users/me/teams/${team}`, { is_muted });
    const prefs = (email_on_team_message: boolean) =>
      bob.client.patch('/v1/users/me', { prefs: { email_on_team_message } });
    await mute(true);
    await post('while muted');
    await mailsGo(server);
    await mute(false);
    await prefs(false);
    await post('while off');
    await mailsGo(server);
    await prefs(true);
    await mailsGo(server);
    expect(subjects()).toEqual([]);
    await post('now');
    await mailsGo(server);
    expect(subjects()).toEqual(['Ada Test wrote in Engine room']);
    expect(toBob()[0]?.text).not.toContain('while');
  });

  it('tell nothing old that is marked as unread', async () => {
    const [old] = await posts(3, 'old');
    await bob.client.put('/v1/users/me/read');
    await mailsGo(server);
    await bob.client.delete(`/v1/messages/${old}/read`);
    await mailsGo(server);
    expect(subjects()).toEqual([]);
    await post('new');
    await mailsGo(server);
    expect(subjects()).toEqual(['Ada Test wrote in Engine room']);
  });

  it('wait until it is known whom the messages concern by name', async () => {
    await post('plain');
    await mailsSettle(server);
    const called = await mention();
    await mailsSettle(server);
    const job = newId();
    // As if the job were not carried out yet; it is due after the mail.
    await rows(
      `INSERT INTO notice_jobs (id, kind, message_id, lane, source, cursor, num_failures, next_attempt_at, created_at)
        VALUES (?, 'message', ?, 0, ?, ?, 0, ?, 0)`,
      ...[job, called, ada.id, LOWEST_ID, server.clock.now() + 3_600_000],
    );
    await rows('DELETE FROM mail_notifications WHERE message_id = ?', called);
    server.clock.advance(61);
    await mailsSettle(server);
    expect(subjects()).toEqual(['Ada Test wrote in Engine room']);
    await rows('UPDATE notice_jobs SET next_attempt_at = 0 WHERE id = ?', job);
    await until(async () => (await rows('SELECT id FROM notice_jobs')).length === 0);
    await mailsGo(server);
    expect(subjects()).toEqual(['Ada Test wrote in Engine room', 'Ada Test mentioned you in Engine room']);
  });
});
