import { createServer } from 'node:http';
import { ParleyApplication } from '#sdk';
import { readSettings } from './settings.ts';
import { greet, standup } from './standup.ts';
import { Storage } from './storage.ts';
import { visits } from './visits.ts';

const settings = readSettings(process.env);
const storage = new Storage(settings.dataFile);
const server = createServer();
await new Promise<void>((resolve) => server.listen(settings.port, '127.0.0.1', resolve));

const parley = new ParleyApplication({
  baseUrl: settings.parleyUrl,
  clientId: settings.clientId,
  clientSecret: settings.clientSecret,
});
server.on('request', visits(parley));

parley.on('mention', standup(parley, storage));
parley.on('installation.created', greet(parley));
parley.on('installation.removed', ({ data }) => storage.forgetTeam(data.team));
const listening = await parley.listen();
console.log(`Stand-up bot: listening to ${settings.parleyUrl}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await listening.stop();
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
}
