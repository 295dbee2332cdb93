import { expect, it } from 'vitest';
import { render } from './mail.template.ts';

it('what people wrote is no link to the API in a mail, and links elsewhere stay (claim: no-links-inside)', () => {
  const open = 'https://chat.example/v1/applications/a/open?team=t';
  const { text, html } = render({
    language: 'en',
    subject: 'S',
    paragraphs: ['P'],
    quotes: [
      {
        title: 'In chat.example/v1/x',
        text: `See ${open} and https://tasks.example/v1/1`,
        url: 'https://chat.example/messages/1',
      },
    ],
    footer: [],
    unsubscribe: { label: 'Fewer', url: 'https://chat.example/v1/unsubscribe/t' },
  });
  for (const mail of [text, html]) {
    expect(mail).not.toContain('chat.example/v1/applications');
    expect(mail).not.toContain('chat.example/v1/x');
    expect(mail).toContain('https://tasks.example/v1/1');
    expect(mail).toContain('https://chat.example/messages/1');
    expect(mail).toContain('https://chat.example/v1/unsubscribe/t');
  }
});
