import { startBot } from '../bot/run.ts';
import { readSettings } from '../bot/settings.ts';
import { approvals } from './approvals.ts';
import { Storage } from './storage.ts';

/** How often it looks at the clock. */
const EVERY_MS = 1000;
const HOUR_MS = 3_600_000;

const usual = { name: 'approval', port: 3003, dataFile: 'approval.db' };
const settings = readSettings(process.env, usual);
const storage = new Storage(settings.dataFile);
const { parley, listen } = await startBot(
  settings,
  'The approval bot answers in its own name. Ask in your team: @approval @somebody what you ask for',
);
const { ask, decide, catchUp } = approvals(parley, storage, {
  expiresMs: Number(process.env.EXPIRES_AFTER_HOURS || 72) * HOUR_MS,
  escalatesMs: Number(process.env.ESCALATES_AFTER_HOURS || 24) * HOUR_MS,
});

parley.on('mention', ask);
parley.action(/^(?:approve|refuse)$/, decide);
parley.on('installation.removed', ({ data }) => storage.forgetTeam(data.team));

let isStopping = false;
let looking = Promise.resolve();
let timer: NodeJS.Timeout | undefined;
function look(): void {
  looking = catchUp().then(() => {
    if (!isStopping) timer = setTimeout(look, EVERY_MS);
  });
}

await listen('Approval bot', async () => {
  isStopping = true;
  clearTimeout(timer);
  await looking;
  storage.close();
});
look();
