import { startBot } from '../bot/run.ts';
import { readSettings } from '../bot/settings.ts';
import { answer } from './answers.ts';

const settings = readSettings(process.env, { name: 'librarian', port: 3005, dataFile: '' });
const { parley, listen } = await startBot(
  settings,
  'The librarian answers in a direct conversation. Write to it: Where do we keep the keys?',
);

parley.direct(async ({ bot, message, reply }) => {
  await reply(await answer(bot, message.text, settings.parleyUrl));
});
await listen('Librarian', () => undefined);
