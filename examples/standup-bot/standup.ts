import type { EventOf, ParleyApplication } from '#sdk';
import type { Storage } from './storage.ts';

const SUMMARY = /^summary\b/i;
const HELP =
  'Write what you do today after my name, @standup, or “@standup summary” for what everybody does.';

/** Says hello to a team that installs the bot. */
export function greet(parley: ParleyApplication) {
  return async function hello({ id, data: { team } }: EventOf<'installation.created'>): Promise<void> {
    // The event may come again after a crash: the key keeps it from being answered twice.
    await parley.inTeam(team).postMessage({ text: HELP, addressed_teams: [team] }, `standup-${id}`);
  };
}

/** Answers mentions of the bot: `@standup TEXT` is a note of today, `@standup summary` asks for all notes. */
export function standup(parley: ParleyApplication, storage: Storage) {
  return async function answer(event: EventOf<'mention'>): Promise<void> {
    const { team, message } = event.data;
    const said = wordsAfterMention(message.text ?? '');
    if (said === undefined) return;
    const bot = parley.inTeam(team);
    const day = event.timestamp.slice(0, 10);
    let reply = HELP;
    if (SUMMARY.test(said)) reply = summaryOf(storage, team, day);
    else if (said !== '') {
      const { author } = await bot.message(message.id);
      const name = author.first_name;
      storage.addNote(team, { event: event.id, author: author.id, name, day, text: said });
      reply = `Noted, ${name}. ${storage.notes(team, day).length} so far today.`;
    }
    await bot.reply(message.reply_to ?? message.id, reply, `standup-${event.id}`);
  };
}

/** @returns undefined for a text without the name */
function wordsAfterMention(text: string): string | undefined {
  return /(?:^|\s)@standup(?=\W|$)[\s:,]*([\s\S]*)/i.exec(text)?.[1]?.trim();
}

function summaryOf(storage: Storage, team: string, day: string): string {
  const notes = storage.notes(team, day);
  if (notes.length === 0) return 'There are no notes today.';
  return ['Today:', ...notes.map(({ name, text }) => `${name}: ${text}`)].join('\n');
}
