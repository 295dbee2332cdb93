import { createServer } from 'node:http';
import { ParleyApplication } from '#sdk';
import type { Settings } from './settings.ts';
import { visits } from './visits.ts';

/** A bot that runs: its application, and what ends with it. */
export interface Running {
  readonly parley: ParleyApplication;
  /** Begins to listen, and says so. Until then, add handlers. @param stop what is to end at last */
  listen(name: string, stop: () => Promise<void> | void): Promise<void>;
}

/** Answers the two visits, then listens until the process is told to end. @param welcome for a member who opens it */
export async function startBot(settings: Settings, welcome: string): Promise<Running> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(settings.port, '127.0.0.1', resolve));
  const parley = new ParleyApplication({
    baseUrl: settings.parleyUrl,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
  });
  server.on('request', visits(parley, welcome));

  async function listen(name: string, stop: () => Promise<void> | void): Promise<void> {
    const listening = await parley.listen();
    console.log(`${name}: listening to ${settings.parleyUrl}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, async () => {
        await listening.stop();
        await stop();
        server.close(() => process.exit(0));
        server.closeIdleConnections();
      });
  }
  return { parley, listen };
}
