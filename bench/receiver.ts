/** An application that hears events in the way that HEARS_BY names, and keeps a journal of them. It is killed now and then. */
import { createServer } from 'node:http';
import { ParleyApplication } from '#sdk';
import { Journal } from './journal.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};
const subscription = setting('SUBSCRIPTION');
const journal = new Journal(setting('JOURNAL'));
const app = new ParleyApplication({
  baseUrl: setting('PARLEY'),
  clientId: setting('CLIENT_ID'),
  clientSecret: setting('CLIENT_SECRET'),
});
app.on('message.posted', ({ id, data: { team } }) => journal.handle([{ id, team }]));

const ways: Record<string, () => Promise<unknown>> = {
  async webhook() {
    createServer(app.webhook({ key: setting('KEY') })).listen(Number(setting('PORT')), '127.0.0.1');
  },
  stream: () => app.listen({ subscription, group: 'copies' }),
  async pull() {
    for (;;) {
      const { events, cursor } = await app.subscriptions.pull(subscription, {
        consumer: 'puller',
        limit: 200,
        wait: 5,
      });
      journal.handle(events.map(({ id, data: { team } }) => ({ id, team })));
      await app.subscriptions.moveGroup(subscription, 'puller', { cursor });
    }
  },
};
await ways[setting('HEARS_BY')]?.();
