import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ParleyApplication, ParleyError, TokenError } from '#sdk';
import { type Answer, send } from './http.ts';
import { page } from './pages.ts';
import { router } from './routes.ts';
import { readSettings } from './settings.ts';
import { Storage } from './storage.ts';

const settings = readSettings(process.env);
const storage = new Storage(settings.dataFile);
const parley = new ParleyApplication({
  baseUrl: settings.parleyUrl,
  clientId: settings.clientId,
  clientSecret: settings.clientSecret,
  redirectUri: `${settings.baseUrl}/parley/redirect`,
});
const route = router(settings, parley, storage);

const server = createServer((request, response) => {
  route(request)
    .catch(explain)
    .then((answer) => send(response, answer));
});

/** What the platform refused is said to the user; anything else is our fault, and goes to the log. */
function explain(error: unknown): Answer {
  const refused = error instanceof ParleyError || error instanceof TokenError;
  if (!refused) console.error(error);
  const text = refused
    ? 'Parley did not accept this. Open the tracker from your team again.'
    : 'Something went wrong.';
  return { status: refused ? 502 : 500, html: page('Task tracker', `<h1>${text}</h1>`) };
}

server.listen(settings.port, () => {
  console.log(`Task tracker: http://localhost:${(server.address() as AddressInfo).port}`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.closeIdleConnections();
    server.close(() => {
      storage.close();
      process.exit(0);
    });
  });
}
