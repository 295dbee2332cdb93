import { ApiError } from '#api';
import { newId } from '#platform/ids.ts';
import { readSender } from '#platform/mail/index.ts';
import { checkEmail } from '../people/users/index.ts';
import { baseUrlOf } from '../process/base-url.ts';
import { readConfig } from '../process/config.ts';
import { mailTransportOf } from '../process/mail.ts';
import { print, printable } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';

const NO_SERVER =
  'No mail server is configured, so mails are kept for administrators to read. Set ' +
  'SMTP_URL=smtp://user:password@mail.example.org:587 and MAIL_FROM=Parley <parley@example.org>, and start the server again.';

/** Sends one mail as the server would, without the database and its queue. @throws Refusal with what went wrong */
export async function testMail(given: string): Promise<void> {
  const to = given.trim();
  refuseMalformed(to);
  const config = readConfig(process.env);
  const { SMTP_URL, MAIL_FROM = '' } = config;
  const transport = await mailTransportOf(config);
  if (!SMTP_URL || !transport) throw new Refusal(NO_SERVER);
  const server = `${SMTP_URL.host}:${SMTP_URL.port}`;
  const url = baseUrlOf(config);
  const outcome = await transport.send({
    to,
    subject: 'A test of the mail server',
    text: `${url} can send mails. The command "parley mail test" sent this one.\n`,
    html: `<p><a href="${url}">${url}</a> can send mails. The command "parley mail test" sent this one.</p>`,
    messageId: `${newId()}@${readSender(MAIL_FROM)?.address.split('@').at(-1)}`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
  transport.close();
  if (!outcome.ok) {
    const again = outcome.permanent
      ? 'The server would give such a mail up.'
      : 'The server would try again later.';
    throw new Refusal(`${server} did not take the mail to ${to}: ${outcome.reason}\n${again}`);
  }
  print(`${server} took the mail from ${printable(MAIL_FROM)} to ${to}: ${printable(outcome.answer)}`);
}

/** The longest address that the routes take. */
const LONGEST = 254;

/** @throws Refusal */
export function refuseMalformed(email: string): void {
  try {
    checkEmail(email);
    if (email.length > LONGEST || /\p{Cc}/u.test(email)) throw new Refusal('');
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Refusal)) throw error;
    throw new Refusal(`"${printable(email.slice(0, LONGEST))}" is not an email address.`);
  }
}
