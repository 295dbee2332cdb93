import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import type { Received } from './people.ts';
import { until } from './until.ts';

/** Asks until a server answers that has its database: the others were just killed. */
export const patiently = (ask: () => Promise<Answer>): Promise<Answer> =>
  until(async () => {
    const answer = await ask().catch(() => undefined);
    return answer && answer.code !== 5030 && answer;
  }) as Promise<Answer>;

const FORM = {
  title: 'Holiday',
  submit: 'Ask',
  blocks: [
    {
      ...{ type: 'input', block_id: 'why', label: { type: 'plain_text', text: 'Why?' } },
      element: { type: 'plain_text_input', action_id: 'text' },
    },
  ],
};

/** An application that opens a form for `/holiday`, and takes what is submitted. @param at a client of any server */
export async function answerHoliday(at: () => Client, { body }: Received): Promise<void> {
  const { kind, response_url } = body.data;
  const path = new URL(response_url).pathname;
  const { status } = await patiently(() => at().post(path, kind === 'command' ? { form: FORM } : {}));
  // Late for a form, or to a form that the answer before has closed.
  expect([200, 409]).toContain(status);
}

/**
 * Asks for a holiday as a person does whose servers are killed: a command, a form, a submission, each sent again until it
 * is answered. @returns the form, and the submission unless its answer was lost
 */
export async function askForHoliday(
  at: () => Client,
  team: string,
  why: string,
): Promise<{ form: string; submission: string | undefined }> {
  const form = await openForm(at, team);
  const submission = await submit(at, form, why);
  await until(async () => (await patiently(() => at().get(`/v1/forms/${form}`))).status === 404);
  return { form, submission };
}

async function openForm(at: () => Client, team: string): Promise<string> {
  for (;;) {
    const given = { text: '/holiday', click: randomUUID() };
    const shown = await until(async () => {
      const { status, data } = await patiently(() => at().post(`/v1/teams/${team}/commands`, given));
      expect(status).toBe(200);
      return (data[0].form || data[0].status !== 'pending') && data[0];
    });
    // Without a form, its application was told of the command too late for one.
    if (shown.form) return shown.form;
  }
}

async function submit(at: () => Client, form: string, why: string): Promise<string | undefined> {
  for (;;) {
    const shown = await patiently(() => at().get(`/v1/forms/${form}`));
    if (shown.status === 404) return undefined;
    const given = { hash: shown.data[0].hash, state: { why: { text: why } } };
    const sent = await patiently(() => at().post(`/v1/forms/${form}/submission`, given));
    if (sent.status === 200) return sent.data[0].id;
    // Of a command that was told twice, the second answer changes the form.
    expect([4040, 4090]).toContain(sent.code);
  }
}
