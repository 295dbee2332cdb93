import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { StartOptions } from '../../src/app/start.ts';
import { Mailbox } from './mailbox.ts';
import { ApplicationHost, type Person, signUp } from './people.ts';
import { startTestServer, type TestServer } from './server.ts';

interface Wanted<Name extends string> {
  /** First names, in the order in which people sign up: the first one administers the server. */
  readonly people?: readonly Name[];
  /** A mail server, to which the server sends. */
  readonly mail?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
  readonly options?: StartOptions;
  /** A new scene for each test, instead of one for the file; or the same server, where others sign up for each test. */
  readonly each?: boolean | 'people';
}

type Scene<Name extends string> = {
  readonly server: TestServer;
  readonly host: ApplicationHost;
  readonly mailbox: Mailbox;
} & { readonly [One in Name as Uncapitalize<One>]: Person };

/**
 * Sets a file's tests up: a server, people who have signed up, an application's host, perhaps a mail server.
 * It begins before the hooks that follow the call, and ends after the tests. The parts are given at once, so that they
 * can be constants of the file, and are filled when it begins.
 */
export function scene<const Name extends string = never>(wanted: Wanted<Name> = {}): Scene<Name> {
  const { people: names = [], mail = false, environment, options, each = false } = wanted;
  const [server, host, mailbox] = [{} as TestServer, new ApplicationHost(), new Mailbox()];
  const people = names.map((name) => [name, {} as Person] as const);
  const [begin, end] = each === true ? [beforeEach, afterEach] : [beforeAll, afterAll];
  const arrive = async () => {
    for (const [name, person] of people) Object.assign(person, await signUp(server, name));
  };
  begin(async () => {
    host.clear();
    mailbox.clear();
    await host.start();
    if (mail) await mailbox.start();
    const sending = mail && { SMTP_URL: mailbox.url, MAIL_FROM: 'Parley <parley@example.org>' };
    Object.assign(server, await startTestServer({ ...sending, ...environment }, options));
    if (each !== 'people') await arrive();
  });
  if (each === 'people') beforeEach(arrive);
  end(async () => {
    // Undefined when it did not start.
    await server.stop?.();
    await host.stop();
    await mailbox.stop();
  });
  const byName = people.map(([name, person]) => [name.charAt(0).toLowerCase() + name.slice(1), person]);
  return { server, host, mailbox, ...Object.fromEntries(byName) };
}
