import { type ActionContext, type Block, blocks, type EventOf, type ParleyApplication } from '#sdk';
import type { Poll, Storage } from './storage.ts';

const { actions, button, confirm, context, mrkdwn, person, section, withId } = blocks;

const HELP = 'Write “@poll Where do we eat? | Pizza | Sushi”: a question and two to ten options.';
const MOST_OPTIONS = 10;
const LONGEST = 200;

/** Reads `@poll Where do we eat? | Pizza | Sushi`, on one line or on several. @returns undefined without the bot's name */
export function readPoll(text: string): { question: string; options: string[] } | undefined {
  const rest = /(?:^|\s)@poll(?=\W|$)[\s:,]*([\s\S]*)/i.exec(text)?.[1];
  if (rest === undefined) return undefined;
  const parts = rest.split(/[|\n]/).map((part) => part.trim().slice(0, LONGEST));
  const [question = '', ...options] = parts.filter((part) => part !== '');
  return { question, options: [...new Set(options)] };
}

/** The message of a poll: its options with their counts, and buttons while it is open. */
export function shownAs({ id, question, options, counts, closed, asker }: Poll): Block[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const rows = options.map((option, at) => {
    const text = mrkdwn`*${option}*\n${counts[at] ?? 0} of ${all}`;
    const vote = button('Vote', {
      action_id: 'vote',
      value: `${id} ${at}`,
      accessibility_label: `Vote for ${option}`.slice(0, 75),
    });
    // Named, so that a click on an earlier count still finds its button.
    return withId(`option-${at}`, section(text, closed ? {} : { accessory: vote }));
  });
  const close = button('Close the poll', {
    action_id: 'close',
    value: String(id),
    confirm: confirm('Nobody can vote any more.', { title: 'Close it?', confirm: 'Close', deny: 'Not yet' }),
  });
  const state = closed ? ' Closed.' : '';
  return [
    section(mrkdwn`${person(asker)} asks: *${question}*`),
    ...rows,
    context(mrkdwn`${all} ${all === 1 ? 'vote' : 'votes'}, one for each person.${state}`),
    ...(closed ? [] : [withId('poll', actions(close))]),
  ];
}

/** Polls, from the mention that begins one to its end. */
export function polls(parley: ParleyApplication, storage: Storage) {
  /** Begins a poll. The keys keep an event that comes again from being answered twice. */
  async function ask({ id, data: { team, message } }: EventOf<'mention'>): Promise<void> {
    const asked = readPoll(message.text ?? '');
    if (!asked) return;
    const { question, options } = asked;
    const bot = parley.inTeam(team);
    if (options.length < 2 || options.length > MOST_OPTIONS) {
      await bot.reply(message.id, HELP, `poll-${id}`);
      return;
    }
    const poll = storage.add(id, team, message.author, question, options);
    // For notifications, where a name of somebody else calls nobody.
    const text = `A poll: ${question}`.replaceAll('@', '@\u2060');
    await bot.postMessage({ addressed_teams: [team], text, blocks: shownAs(poll) }, `poll-${id}`);
  }

  async function vote(click: ActionContext): Promise<void> {
    const [id, option] = (click.value ?? '').split(' ').map(Number);
    const poll = storage.find(click.team, id ?? 0);
    if (!poll) return click.respond.ephemeral('I do not know this poll any more.');
    const isCounted = storage.vote(poll.id, click.user, option ?? 0);
    await show(click, poll.id);
    if (!isCounted) await click.respond.ephemeral('This poll is closed.');
  }

  async function close(click: ActionContext): Promise<void> {
    const poll = storage.find(click.team, Number(click.value));
    if (!poll) return click.respond.ephemeral('I do not know this poll any more.');
    if (poll.asker !== click.user)
      return click.respond.ephemeral('Only the person who asked closes the poll.');
    storage.close(poll.id);
    await show(click, poll.id);
  }

  return { ask, vote, close };

  /** As it is now: a click that comes twice, or late, shows the newest counts. */
  async function show({ respond, team }: ActionContext, id: number): Promise<void> {
    await respond.replace({ blocks: shownAs(storage.find(team, id) as Poll) });
  }
}
