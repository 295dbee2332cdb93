import { startBot } from '../bot/run.ts';
import { readSettings } from '../bot/settings.ts';
import { standup } from './standup.ts';
import { Storage } from './storage.ts';

const usual = { name: 'standup-bot', port: 3002, dataFile: 'standup-bot.json' };
const settings = readSettings(process.env, usual);
const storage = new Storage(settings.dataFile);
const { parley, listen } = await startBot(
  settings,
  'The stand-up bot answers in its own name. Mention it in your team: @standup',
);

const { hello, mentioned, commanded, submitted, written } = standup(parley, storage);

parley.on('mention', mentioned);
parley.on('installation.created', hello);
parley.command('standup', commanded);
parley.view('standup', submitted);
parley.direct(written);
parley.on('installation.removed', ({ data }) => storage.forgetTeam(data.team));
await listen('Stand-up bot', () => undefined);
