import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Asking, asking, headed, plain, press } from '../../../../test/support/clicks.ts';
import type { Client } from '../../../../test/support/client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { Feed, pathOf } from '../../../../test/support/feed.ts';
import { install, makeTeam, type Person } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';

const { server, host, dev, ada, bob, eve } = scene({ people: ['Dev', 'Ada', 'Bob', 'Eve'] });
let team: string;
let app: Asking;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await asking(server, { owner: dev, admin: ada, host, team });
  await dev.client.patch(`/v1/applications/${app.app.id}`, {
    commands: [{ name: 'holiday', description: 'Ask for a holiday' }],
  });
});

const input = (block_id: string, element: object, fields: object = {}) => ({
  ...{ type: 'input', block_id, label: plain('Label'), element },
  ...fields,
});
const reason = input('why', { type: 'plain_text_input', action_id: 'text', max_length: 20 });
const form = {
  title: 'Holiday',
  submit: 'Ask',
  close: 'Not now',
  callback_id: 'holiday',
  metadata: 'row 7',
  blocks: [reason],
};
const filled = { why: { text: 'Sun' } };

/** Bob gives the command. @returns its event */
async function asked(by: Person = bob, inTeam = team) {
  const given = await by.client.post(`/v1/teams/${inTeam}/commands`, {
    text: '/holiday',
    click: randomUUID(),
  });
  return heardOf(given.data[0].id);
}
async function heardOf(id: string) {
  const [event] = (await app.heard()).filter((data) => data.id === id);
  expect(event).toBeDefined();
  return event;
}
const answer = (heard: { response_url: string }, fields: object) =>
  server.anonymous().post(new URL(heard.response_url).pathname, fields);
/** @returns a form that is open, and the command that asked for it */
async function opened(fields: object = {}) {
  const command = await asked();
  const { status, data } = await answer(command, { form: { ...form, ...fields } });
  expect([status, data[0].status]).toEqual([200, 'done']);
  return { command, id: data[0].form as string, shown: await read(data[0].form) };
}
const read = async (id: string, by: Person = bob) => (await by.client.get(`/v1/forms/${id}`)).data[0];
const isOpen = async (id: string) => (await bob.client.get(`/v1/forms/${id}`)).code === undefined;
const submit = (id: string, fields: object, by: Person = bob) =>
  by.client.post(`/v1/forms/${id}/submission`, { state: filled, ...fields });
const submitted = async (id: string) => {
  const { data } = await submit(id, { hash: (await read(id)).hash });
  return heardOf(data[0].id);
};
const refused = ({ code, body }: Awaited<ReturnType<Client['post']>>) => [code, body.errors?.[0]?.reason];

describe('a form', () => {
  it('opens for the person who asked, and for nobody else (claim: forms-own)', async () => {
    const { id, shown, command } = await opened();
    expect(shown).toEqual({
      ...{ id, team, title: 'Holiday', submit: 'Ask', close: 'Not now', blocks: [reason] },
      application: { id: app.app.id, name: 'Holidays', icon: expect.any(String) },
      hash: expect.any(String),
      expires_at: expect.any(Number),
    });
    const others = [ada.client, eve.client, dev.client, await app.itself(), server.anonymous()];
    for (const by of others) {
      expect((await by.get(`/v1/forms/${id}`)).status).not.toBe(200);
      expect((await by.post(`/v1/forms/${id}/submission`, { hash: shown.hash })).status).not.toBe(200);
      expect((await by.delete(`/v1/forms/${id}`)).status).not.toBe(200);
    }
    const again = await bob.client.post(`/v1/teams/${team}/commands`, {
      text: '/holiday',
      click: randomUUID(),
    });
    expect(again.data[0].id).not.toBe(command.id);
  });

  it('is told to its application when it is submitted, once, with its own data (claim: forms-once)', async () => {
    const { id, shown } = await opened();
    const all = await Promise.all([1, 2, 3, 4].map(() => submit(id, { hash: shown.hash })));
    expect(new Set(all.map(({ data }) => data[0].id)).size).toBe(1);
    expect((await read(id)).submission).toMatchObject({ id: all[0]?.data[0].id, status: 'pending' });
    const heard = (await app.heard()).filter((data) => data.kind === 'form' && data.form.id === id);
    expect(heard).toEqual([
      {
        ...{ kind: 'form', team, user: bob.id, id: all[0]?.data[0].id, state: filled },
        form: { id, title: 'Holiday', hash: shown.hash, callback_id: 'holiday', metadata: 'row 7' },
        response_url: expect.any(String),
      },
    ]);
    expect((await answer(heard[0], {})).data[0]).toMatchObject({ status: 'done' });
    expect(await isOpen(id)).toBe(false);
    expect(refused(await submit(id, { hash: shown.hash }))).toEqual([4040, undefined]);
  });

  it('closes when the application acknowledges its submission (claim: forms-acknowledged)', async () => {
    const { id, shown } = await opened();
    const path = pathOf(app.app, app.subscription);
    const feed = await Feed.open(app.app.credentials, path);
    const { data } = await submit(id, { hash: shown.hash });
    await feed.until((events) => events.some((event) => event.data.id === data[0].id));
    const events = feed.events.map((event) => event.id);
    await app.app.credentials.post(`${path}/consumers/default/acknowledgements`, { events });
    expect(await isOpen(id)).toBe(false);
    feed.close();
  });

  it('stays open with what the application finds wrong, until it is right', async () => {
    const { id, shown } = await opened();
    const first = await submitted(id);
    const wrong = await answer(first, { errors: { why: 'Say more than that' } });
    expect(wrong.data[0]).toMatchObject({ status: 'done', form: id });
    const again = await read(id);
    expect(again).toMatchObject({ errors: { why: 'Say more than that' }, blocks: [reason] });
    expect(again).not.toHaveProperty('submission');
    expect(again.hash).not.toBe(shown.hash);
    expect(refused(await submit(id, { hash: shown.hash }))).toEqual([4090, 'form_changed']);
    expect(refused(await answer(first, { errors: { why: 'twice' } }))).toEqual([4090, 'form_changed']);
    const second = await submitted(id);
    expect(second.id).not.toBe(first.id);
    await answer(second, {});
    expect(await isOpen(id)).toBe(false);
    expect(refused(await answer(second, { errors: { why: 'late' } }))).toEqual([4090, 'form_closed']);
  });

  it('stays open where its application could not do it, and says why (claim: answers-failed)', async () => {
    const { id } = await opened();
    const first = await submitted(id);
    const failed = { failed: true, ephemeral: true, text: 'The calendar is closed' };
    const { data } = await answer(first, failed);
    expect(data[0]).toMatchObject({ status: 'failed', reason: 'application_failed' });
    const { submission } = await read(id);
    expect(submission).toBeUndefined();
    const { data: told } = await bob.client.get(`/v1/users/me/ephemeral_answers?team=${team}`);
    expect(told.at(-1).text).toBe('The calendar is closed');
    expect((await answer(await submitted(id), {})).data[0].status).toBe('done');
    expect(await isOpen(id)).toBe(false);
    const command = await asked();
    const wrong: [object, string][] = [
      [{ failed: true, reply: true, text: 'x' }, 'reply'],
      [{ failed: true, form }, 'form'],
      [{ failed: true, text: 'x' }, 'text'],
    ];
    for (const [fields, field] of wrong)
      expect(refused(await answer(command, fields))).toEqual([4002, field]);
    expect((await answer(command, { failed: true })).data[0].reason).toBe('application_failed');
  });

  it('takes days that there are, and people of the team', async () => {
    const { id, shown } = await opened({
      blocks: [
        input('day', { type: 'datepicker', action_id: 'd' }, { optional: true }),
        input('who', { type: 'users_select', action_id: 'u' }, { optional: true }),
        input('all', { type: 'multi_users_select', action_id: 'u' }, { optional: true }),
      ],
    });
    const sent = (state: object) => submit(id, { hash: shown.hash, state });
    const wrong: [object, string][] = [
      [{ day: { d: '2027-02-31' } }, 'state.day.d'],
      [{ day: { d: '2027-13-01' } }, 'state.day.d'],
      [{ day: { d: 'today' } }, 'state.day.d'],
      [{ who: { u: eve.id } }, 'state.who.u'],
      [{ who: { u: randomUUID() } }, 'state.who.u'],
      [{ all: { u: [bob.id, eve.id] } }, 'state.all.u'],
    ];
    for (const [state, field] of wrong) expect(refused(await sent(state))).toEqual([4002, field]);
    const right = { day: { d: '2028-02-29' }, who: { u: ada.id }, all: { u: [ada.id, bob.id] } };
    expect((await sent(right)).status).toBe(200);
  });

  it('waits for the answer to its last submission, whatever else is answered', async () => {
    const more = {
      type: 'actions',
      block_id: 'more',
      elements: [{ type: 'button', action_id: 'add', text: plain('Add') }],
    };
    const { id } = await opened({ blocks: [more, reason] });
    const click = { block_id: 'more', action_id: 'add', click: randomUUID() };
    const pressed = await bob.client.post(`/v1/forms/${id}/interactions`, click);
    const first = await submitted(id);
    await answer(first, { errors: { why: 'Say more than that' } });
    const second = await submitted(id);
    expect(refused(await answer(first, { form: { ...form, title: 'Old' } }))).toEqual([4090, 'form_changed']);
    const changed = { ...form, title: 'With a row', blocks: [more, reason] };
    expect((await answer(await heardOf(pressed.data[0].id), { form: changed })).status).toBe(200);
    const shown = await read(id);
    expect(shown).toMatchObject({ title: 'With a row', submission: { id: second.id, status: 'pending' } });
    expect((await submit(id, { hash: shown.hash })).data[0].id).toBe(second.id);
    expect((await answer(second, {})).status).toBe(200);
    expect(await isOpen(id)).toBe(false);
  });

  it('refuses what its fields do not allow, each at its place', async () => {
    const { id, shown } = await opened({
      blocks: [
        reason,
        input('days', { type: 'number_input', action_id: 'n', is_decimal_allowed: false, min_value: '1' }),
        input('mail', { type: 'email_text_input', action_id: 'm' }, { optional: true }),
        input('page', { type: 'url_text_input', action_id: 'u' }, { optional: true }),
      ],
    });
    const state = {
      why: { text: 'x'.repeat(21) },
      days: { n: '0' },
      mail: { m: 'nobody' },
      page: { u: 'javascript:alert(1)' },
    };
    const { body, status } = await submit(id, { hash: shown.hash, state });
    expect([status, body.errors.map(({ reason: at }: { reason: string }) => at)]).toEqual([
      400,
      ['state.why.text', 'state.days.n', 'state.mail.m', 'state.page.u'],
    ]);
    expect(refused(await submit(id, { hash: shown.hash, state: {} }))).toEqual([4002, 'state.why.text']);
    expect(refused(await submit(id, { hash: shown.hash, state: [] }))).toEqual([4002, 'state']);
    const right = { why: { text: 'Sun' }, days: { n: '3' }, mail: { m: 'bob@example.com' } };
    expect((await submit(id, { hash: shown.hash, state: right })).data[0].status).toBe('pending');
  });

  it('knows what is missing, whatever its ids are', async () => {
    const ids = [
      ['constructor', 'name'],
      ['toString', 'length'],
      ['__proto__', '__proto__'],
    ] as const;
    const blocks = ids.map(([block, action]) =>
      input(block, { type: 'plain_text_input', action_id: action }),
    );
    const { id, shown } = await opened({ blocks });
    const { status, body } = await submit(id, { hash: shown.hash, state: {} });
    expect([status, body.errors.map(({ reason: at }: { reason: string }) => at)]).toEqual([
      400,
      ids.map(([block, action]) => `state.${block}.${action}`),
    ]);
    const other = await opened({ blocks: blocks.slice(0, 2) });
    const state = { constructor: { name: 'Sun' }, toString: { length: '3' } };
    const sent = await submit(other.id, { hash: other.shown.hash, state });
    expect((await heardOf(sent.data[0].id)).state).toEqual(state);
  });

  it('opens late for nobody, and twice for no click (claim: forms-late)', async () => {
    const late = await asked();
    await runSql(server.running.db, 'UPDATE interactions SET created_at = created_at - 31000 WHERE id = ?', [
      late.id,
    ]);
    expect(refused(await answer(late, { form }))).toEqual([4090, 'form_late']);
    const { command, id } = await opened();
    const other = await answer(command, { form: { ...form, title: 'Leave' } });
    expect(other.data[0].form).toBe(id);
    expect((await read(id)).title).toBe('Leave');
    await bob.client.delete(`/v1/forms/${id}`);
    expect(refused(await answer(command, { form }))).toEqual([4090, 'form_closed']);
  });

  it('takes one of two answers to the same hash, and refuses the other (claim: forms-hash)', async () => {
    const { command, id, shown } = await opened();
    const change = (title: string, hash: string) => answer(command, { form: { ...form, title, hash } });
    expect((await change('First', shown.hash)).status).toBe(200);
    expect(refused(await change('Second', shown.hash))).toEqual([4090, 'form_changed']);
    expect((await read(id)).title).toBe('First');
  });

  it('is a stack of at most three, and closing one closes those on it', async () => {
    const { id } = await opened();
    let top = id;
    const stack = [id];
    for (const title of ['Second', 'Third']) {
      const heard = await submitted(top);
      const { data } = await answer(heard, { form: { ...form, title, push: true } });
      expect(await read(data[0].form)).toMatchObject({ title, below: top });
      expect(await read(top)).not.toHaveProperty('submission');
      top = data[0].form;
      stack.push(top);
    }
    const third = await submitted(top);
    expect(refused(await answer(third, { form: { ...form, push: true } }))).toEqual([4002, 'form.push']);
    expect((await answer(third, {})).data[0]).not.toHaveProperty('form');
    expect(await Promise.all(stack.map(isOpen))).toEqual([true, true, false]);
    expect((await bob.client.delete(`/v1/forms/${id}`)).status).toBe(200);
    expect(await Promise.all(stack.map(isOpen))).toEqual([false, false, false]);
  });

  it('tells that it was closed, where its application asked for that', async () => {
    const [loud, quiet] = [await opened({ notify_on_close: true }), await opened()];
    for (const { id } of [loud, quiet]) expect((await bob.client.delete(`/v1/forms/${id}`)).status).toBe(200);
    const closed = (await app.heard()).filter(({ kind }) => kind === 'form_closed');
    expect(closed.map((data) => data.form.id)).toEqual([loud.id]);
    expect(closed[0]).toMatchObject({ user: bob.id, form: { metadata: 'row 7' } });
    expect((await answer(closed[0], { form })).code).toBe(4002);
    expect((await answer(closed[0], { ephemeral: true, text: 'Another time' })).status).toBe(200);
  });

  it('has buttons and questions of its own, which can change it', async () => {
    const { id, shown } = await opened({
      blocks: [
        {
          type: 'actions',
          block_id: 'more',
          elements: [{ type: 'button', action_id: 'add', text: plain('Add') }],
        },
        input(
          'who',
          { type: 'external_select', action_id: 'person', min_query_length: 1 },
          { optional: true },
        ),
      ],
    });
    const click = { block_id: 'more', action_id: 'add', click: randomUUID() };
    const { data } = await bob.client.post(`/v1/forms/${id}/interactions`, click);
    const heard = await heardOf(data[0].id);
    expect(heard).toMatchObject({ kind: 'action', action_id: 'add', form: { id, callback_id: 'holiday' } });
    await answer(heard, { form: { ...form, blocks: [reason] } });
    expect(await read(id)).toMatchObject({ blocks: [reason] });
    expect((await read(id)).hash).not.toBe(shown.hash);
    const gone = await bob.client.post(`/v1/forms/${id}/interactions`, { ...click, click: randomUUID() });
    expect(refused(gone)).toEqual([4002, 'action_id']);
    const eves = await eve.client.post(`/v1/forms/${id}/interactions`, click);
    expect(eves.code).toBe(4040);

    const second = await opened({
      blocks: [input('who', { type: 'external_select', action_id: 'person', min_query_length: 1 })],
    });
    const question = { block_id: 'who', action_id: 'person', value: 'a' };
    const path = `/v1/forms/${second.id}/options`;
    const pending = await bob.client.post(path, question);
    const offer = [{ text: plain('Ada'), value: 'ada' }];
    await answer(await heardOf(pending.data[0].id), { options: offer });
    expect((await bob.client.post(path, question)).data[0].options).toEqual(offer);
    const chosen = { hash: second.shown.hash, state: { who: { person: 'ada' } } };
    expect((await submit(second.id, chosen)).data[0].status).toBe('pending');
    const made = await opened({ blocks: second.shown.blocks });
    expect(refused(await submit(made.id, { ...chosen, hash: made.shown.hash }))).toEqual([
      4002,
      'state.who.person',
    ]);
  });

  it('opens from a button, and its answer can change the message', async () => {
    const message = await app.post();
    const heard = await heardOf((await press(bob, message)).data[0].id);
    const { data } = await answer(heard, { form });
    const sent = await submitted(data[0].form);
    expect(sent.message).toEqual({ id: message });
    const done = await answer(sent, { replace: true, blocks: headed('Approved') });
    expect(done.data[0].message).toBe(message);
    expect(await isOpen(data[0].form)).toBe(false);
    expect((await bob.client.get(`/v1/messages/${message}`)).data[0].text).toBe('**Approved**');
  });

  it('stays where the message is deleted from which it was opened', async () => {
    const message = await app.post();
    const heard = await heardOf((await press(bob, message)).data[0].id);
    const { data } = await answer(heard, { form });
    await (await app.itself()).delete(`/v1/messages/${message}`);
    const sent = await submitted(data[0].form);
    expect((await answer(sent, { replace: true, blocks: headed('Approved') })).status).toBe(409);
    expect((await answer(sent, {})).status).toBe(200);
    expect(await isOpen(data[0].form)).toBe(false);
  });

  it('is refused where something is wrong with it, with the place of each problem', async () => {
    const command = await asked();
    const tries: [object, string][] = [
      [{ form: { ...form, title: '' } }, 'form.title'],
      [{ form: { ...form, title: 'x'.repeat(25) } }, 'form.title'],
      [{ form: { ...form, blocks: [] } }, 'form.blocks'],
      [{ form: { ...form, blocks: [{ type: 'nothing' }] } }, 'form.blocks[0].type'],
      [{ form: { ...form, blocks: Array(101).fill({ type: 'divider' }) } }, 'form.blocks'],
      [{ form: { ...form, push: true } }, 'form.push'],
      [{ form: { ...form, hash: randomUUID() } }, 'form.hash'],
      [{ form, reply: true }, 'reply'],
      [{ form, text: 'x' }, 'text'],
      [{ form, errors: { why: 'x' } }, 'errors'],
      [{ errors: { why: 'x' } }, 'errors'],
    ];
    for (const [fields, field] of tries)
      expect([fields, ...refused(await answer(command, fields))]).toEqual([fields, 4002, field]);
    const whole = await answer(command, { form: { ...form, blocks: Array(100).fill({ type: 'divider' }) } });
    expect(whole.status).toBe(200);
    const { id } = await opened();
    const sent = await submitted(id);
    for (const errors of [{}, [], 'x', { none: 'x' }, { why: '' }, { why: 7 }, { why: 'x'.repeat(301) }])
      expect((await answer(sent, { errors })).code).toBe(4002);
    expect((await answer(sent, { errors: { why: 'x' }, ephemeral: true })).code).toBe(4002);
  });

  it('cannot be submitted without a button for that', async () => {
    const command = await asked();
    const { data } = await answer(command, { form: { title: 'Facts', blocks: headed('Only to read') } });
    const { hash } = await read(data[0].form);
    expect(refused(await submit(data[0].form, { hash, state: {} }))).toEqual([4090, 'no_submit']);
  });

  it('is out of reach for a person who has left the team', async () => {
    const other = await makeTeam(ada, [bob]);
    await install(ada, other, app.app);
    const { data } = await answer(await asked(bob, other), { form });
    expect(await isOpen(data[0].form)).toBe(true);
    await ada.client.delete(`/v1/teams/${other}/users/${bob.id}`);
    expect(await isOpen(data[0].form)).toBe(false);
  });

  it('gives way to newer ones, and is gone with the installation', async () => {
    const first = await opened({ notify_on_close: true });
    const window = await EventStream.open(bob.client);
    for (let at = 0; at < 10; at++) await opened();
    expect(await isOpen(first.id)).toBe(false);
    await expect
      .poll(() => window.of('form').map(({ data }) => data))
      .toContainEqual({ id: first.id, change: 'closed' });
    window.close();
    const told = (await app.heard()).filter(
      ({ form, kind }) => kind === 'form_closed' && form.id === first.id,
    );
    expect(told).toHaveLength(1);
    const before = await opened();
    expect(await isOpen(before.id)).toBe(true);
    await ada.client.delete(`/v1/teams/${team}/applications/${app.app.id}`);
    expect(await isOpen(before.id)).toBe(false);
    await install(ada, team, app.app);
  });
});
