import { startBot } from '../bot/run.ts';
import { readSettings } from '../bot/settings.ts';
import { greet, standup } from './standup.ts';
import { Storage } from './storage.ts';

const usual = { name: 'standup-bot', port: 3002, dataFile: 'standup-bot.json' };
const settings = readSettings(process.env, usual);
const storage = new Storage(settings.dataFile);
const { parley, listen } = await startBot(
  settings,
  'The stand-up bot answers in its own name. Mention it in your team: @standup',
);

parley.on('mention', standup(parley, storage));
parley.on('installation.created', greet(parley));
parley.on('installation.removed', ({ data }) => storage.forgetTeam(data.team));
await listen('Stand-up bot', () => undefined);
