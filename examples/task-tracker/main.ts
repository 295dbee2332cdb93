import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Listening, ParleyApplication, ParleyError } from '#sdk';
import { taskCards } from './cards.ts';
import { taskHome } from './home.ts';
import { type Answer, BodyTooLarge, send } from './http.ts';
import { mentionHandler } from './mentions.ts';
import { messagePage } from './pages.ts';
import { router } from './routes.ts';
import { readSettings } from './settings.ts';
import { Storage } from './storage.ts';

const settings = readSettings(process.env);
const storage = new Storage(settings.dataFile);
const server = createServer();
let listening: Listening | undefined;

server.listen(settings.port, settings.host, async () => {
  const { port } = server.address() as AddressInfo;
  const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
  const parley = new ParleyApplication({
    baseUrl: settings.parleyUrl,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    redirectUri: `${baseUrl}/parley/redirect`,
  });
  const route = router(baseUrl, parley, storage);
  server.on('request', async (request, response) => {
    send(response, await route(request).catch(explain));
  });
  console.log(`Task tracker: http://localhost:${port}`);
  parley.on('mention', mentionHandler(parley, storage));
  const cards = taskCards(parley, storage);
  parley.action('task-done', cards.done);
  parley.action('task-take', cards.take);
  const home = taskHome(parley, storage);
  parley.home(home.opened);
  parley.command('task', home.ask);
  parley.action('home-new', home.ask);
  parley.action('home-done', home.done);
  parley.view('new-task', home.add);
  try {
    listening = await parley.listen();
    console.log(`Task tracker: listening to ${settings.parleyUrl}`);
  } catch (error) {
    // The pages work without it, too.
    console.error(error);
  }
});

/** The code of the platform's refusals for want of a scope. */
const SCOPE_MISSING = 4031;

/** A scope is given by the developer and the team's admin; all else is mended by a new session. */
const remedyOf = (error: ParleyError) =>
  error.code === SCOPE_MISSING
    ? 'The tracker lacks a scope for this. Its owner registers it with messages:read and messages:write, an admin of your team agrees, and you open it again.'
    : 'Parley did not accept this. Open the tracker from your team again.';

/** Shows the user a refusal of the platform. Any other error is ours and goes to the log. */
function explain(error: unknown): Answer {
  if (error instanceof BodyTooLarge) return { status: 413, text: error.message };
  if (error instanceof ParleyError) {
    return { status: 502, html: messagePage(remedyOf(error)) };
  }
  console.error(error);
  return { status: 500, html: messagePage('Something went wrong.') };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await listening?.stop();
    server.close(() => {
      storage.close();
      process.exit(0);
    });
    server.closeIdleConnections();
  });
}
