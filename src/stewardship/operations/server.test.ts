import { expect, it } from 'vitest';
import { signUp } from '../../../test/support/people.ts';
import { startTestServer } from '../../../test/support/server.ts';

it('tells a client what it must know before anybody is signed in', async () => {
  const server = await startTestServer({ REGISTRATION: 'invite', MAX_TEXT_LENGTH: '1234' });
  try {
    const facts = async () => (await server.anonymous().get('/v1/server')).data[0];
    expect(await facts()).toEqual({
      needs_setup: true,
      needs_setup_link: false,
      domain_sign_up: false,
      registration: 'invite',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      mail: false,
      profile_visibility: 'everyone',
      custom_emoji: 'members',
      link_previews: false,
      application_posting: 'user',
      max_upload_bytes: 26_214_400,
      max_text_length: 1234,
      scopes: expect.arrayContaining(['messages:read', 'messages:write', 'direct:read', 'direct:write']),
    });
    await signUp(server);
    expect(await facts()).toMatchObject({ needs_setup: false });
  } finally {
    await server.stop();
  }
});

it('tells whether mails are sent', async () => {
  const server = await startTestServer({
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'parley@example.org',
    REGISTRATION: 'closed',
  });
  try {
    const { data } = await server.anonymous().get('/v1/server');
    expect(data[0]).toMatchObject({ mail: true, registration: 'closed' });
  } finally {
    await server.stop();
  }
});
