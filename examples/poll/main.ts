import { startBot } from '../bot/run.ts';
import { readSettings } from '../bot/settings.ts';
import { polls } from './polls.ts';
import { Storage } from './storage.ts';

const settings = readSettings(process.env, { name: 'poll', port: 3004, dataFile: 'poll.db' });
const storage = new Storage(settings.dataFile);
const { parley, listen } = await startBot(
  settings,
  'The poll bot answers in its own name. Ask in your team: @poll Where do we eat? | Pizza | Sushi',
);
const { ask, vote, close } = polls(parley, storage);

parley.on('mention', ask);
parley.action('vote', vote);
parley.action('close', close);
parley.on('installation.removed', ({ data }) => storage.forgetTeam(data.team));
await listen('Poll bot', () => storage.end());
