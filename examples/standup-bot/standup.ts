import {
  blocks,
  type CommandContext,
  type DirectContext,
  type EventOf,
  type Form,
  type ParleyApplication,
  type ParleyBot,
  ParleyError,
  type ViewContext,
} from '#sdk';
import type { Storage } from './storage.ts';

const SUMMARY = /^summary\b/i;
const ASK = /^ask\b/i;
const HELP =
  'Write what you do today after my name, @standup, or “@standup summary” for what everybody does. “/standup” opens a form, ' +
  'and “/standup ask” lets me ask everybody.';
const QUESTION = 'What do you do today? Answer here, or write “summary” for what the others do.';

const FORM: Form = {
  title: 'Stand-up',
  submit: 'Tell the team',
  callback_id: 'standup',
  blocks: [
    blocks.withId(
      'today',
      blocks.input('What do you do today?', blocks.textInput({ action_id: 'text', multiline: true })),
    ),
    blocks.withId(
      'stuck',
      blocks.input('What keeps you from it?', blocks.textInput({ action_id: 'text' }), { optional: true }),
    ),
  ],
};

/** The bot's handlers. An event may come again after a crash: keys keep it from being answered twice. */
export function standup(parley: ParleyApplication, storage: Storage) {
  return { hello, mentioned, commanded, submitted, written };

  /** Says hello to a team that installs the bot. */
  async function hello({ id, data: { team } }: EventOf<'installation.created'>): Promise<void> {
    await parley.inTeam(team).postMessage({ text: HELP, addressed_teams: [team] }, `standup-${id}`);
  }

  /** `@standup TEXT` is a note of today, `@standup summary` asks for all notes. */
  async function mentioned(event: EventOf<'mention'>): Promise<void> {
    const { team, message } = event.data;
    const said = wordsAfterMention(message.text ?? '');
    if (said === undefined) return;
    const bot = parley.inTeam(team);
    const reply = await answer(bot, { team, user: message.author ?? '', event, said });
    await bot.reply(message.reply_to ?? message.id, reply, `standup-${event.id}`);
  }

  /** `/standup` opens a form, `/standup TEXT` is a note, and `/standup ask` asks all members who have none yet. */
  async function commanded({ bot, team, user, text, event, respond }: CommandContext): Promise<void> {
    if (text === '') return respond.form(FORM);
    if (!ASK.test(text)) return respond.ephemeral(await answer(bot, { team, user, event, said: text }));
    const done = new Set(storage.notes(team, dayOf(event)).map(({ author }) => author));
    let asked = 0;
    for await (const { user: one } of bot.members()) {
      if (one.id === undefined || done.has(one.id)) continue;
      asked += await write(bot, one.id, `standup-${event.id}-${one.id}`);
    }
    return respond.ephemeral(`I have asked ${asked}.`);
  }

  /** Checks what the fields cannot know, and tells the team. */
  async function submitted({ bot, team, user, state, event, respond }: ViewContext): Promise<void> {
    const [today, stuck] = [state.today?.text, state.stuck?.text].map((text) => String(text ?? '').trim());
    if (!today) return respond.errors({ today: 'Write a word or two' });
    const said = stuck ? `${today} (stuck: ${stuck})` : today;
    await answer(bot, { team, user, event, said });
    const name = storage.notes(team, dayOf(event)).find(({ author }) => author === user)?.name;
    return respond.reply(`${name}: ${said}`);
  }

  /** A direct message to the bot is a note, too. */
  async function written({ bot, team, user, message, event, reply }: DirectContext): Promise<void> {
    await reply(await answer(bot, { team, user, event, said: message.text.trim() }));
  }

  async function answer(
    bot: ParleyBot,
    of: { team: string; user: string; event: { id: string; timestamp: string }; said: string },
  ): Promise<string> {
    const { team, user, event, said } = of;
    const day = dayOf(event);
    if (said === '') return HELP;
    if (SUMMARY.test(said)) return summaryOf(storage, team, day);
    const name = await nameOf(bot, user);
    storage.addNote(team, { event: event.id, author: user, name, day, text: said });
    return `Noted, ${name}. ${storage.notes(team, day).length} so far today.`;
  }
}

/** As 2026-11-22, in UTC. */
const dayOf = ({ timestamp }: { timestamp: string }) => timestamp.slice(0, 10);

async function nameOf(bot: ParleyBot, user: string): Promise<string> {
  for await (const { user: one } of bot.members()) if (one.id === user) return one.first_name;
  return 'Somebody';
}

/** @returns how many were asked: one who has blocked the bot is left alone */
async function write(bot: ParleyBot, user: string, key: string): Promise<number> {
  try {
    await bot.writeTo(user, QUESTION, key);
    return 1;
  } catch (error) {
    if (error instanceof ParleyError && error.reason === 'application_blocked') return 0;
    throw error;
  }
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
