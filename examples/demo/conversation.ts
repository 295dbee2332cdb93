import type { StoryClock } from './clock.ts';
import type { HookKey } from './hooks.ts';
import { NAMES, type Who } from './people.ts';
import type { Person } from './person.ts';
import { pictureOfTart, pictureOfWindow } from './picture.ts';
import { CALLED, LATE_REACTIONS, type Moment, READ_MINUTES_AGO, SAID, type Said } from './story.ts';
import type { TeamKey } from './teams.ts';

const MINUTE_MS = 60_000;

export interface Stage {
  readonly clock: StoryClock;
  /** The server's address. */
  readonly origin: string;
  readonly people: Readonly<Record<Who, Person>>;
  readonly ids: Readonly<Record<Who, string>>;
  readonly teams: Readonly<Record<TeamKey, string>>;
  /** The addresses of the incoming webhooks. */
  readonly hooks: Readonly<Record<HookKey, string>>;
}

interface Step {
  readonly time: number;
  readonly run: () => Promise<unknown>;
}

const PICTURES = { 'strawberry-tart.jpg': pictureOfTart, 'shop-window.jpg': pictureOfWindow };

/** Tells the whole story, each thing at its time, and leaves the clock at the present. */
export async function converse(stage: Stage): Promise<void> {
  const { clock, people } = stage;
  const known = new Map<string, string>();
  const timeOf = (at: Moment) =>
    typeof at === 'number' ? clock.begun - at * MINUTE_MS : clock.daysAgo(...at);
  const steps: Step[] = [
    ...SAID.flatMap((said) => stepsOf(stage, said, timeOf(said.at), known)),
    ...CALLED.map(({ at, hook, payload }) => ({
      time: timeOf(at),
      run: () => people.mara.call(stage.hooks[hook], payload),
    })),
    ...LATE_REACTIONS.map(([minutes, who, key, emoji]) => ({
      time: timeOf(minutes),
      run: () => react(people[who], known.get(key) ?? '', emoji),
    })),
    ...NAMES.map((who) => ({ time: timeOf(READ_MINUTES_AGO), run: () => readAll(people[who]) })),
  ];
  for (const { time, run } of steps.sort((one, other) => one.time - other.time)) {
    clock.goTo(time);
    await run();
  }
  clock.goTo(Number.POSITIVE_INFINITY);
  // The first person alone has something new.
  for (const who of NAMES) if (who !== 'mara') await readAll(people[who]);
  await planAhead(stage, known);
}

const readAll = (person: Person) => person.ask('PUT', '/v1/users/me/read');

const react = (person: Person, message: string, emoji: string) =>
  person.ask('PUT', `/v1/messages/${message}/reactions/${encodeURIComponent(emoji)}`);

/** A message, and what came of it. */
function stepsOf(stage: Stage, said: Said, time: number, known: Map<string, string>): readonly Step[] {
  const { people } = stage;
  const author = people[said.by];
  const { replies = [], highFives = [], reactions = {}, edited, pinnedBy, isSaved } = said;
  let id = '';
  const url = () => `/v1/messages/${id}`;
  const later = (minutes: number, run: () => Promise<unknown>): Step => ({
    time: time + minutes * MINUTE_MS,
    run,
  });
  const post = async () => {
    ({ id } = await author.ask('POST', '/v1/messages', await bodyOf(stage, said, known)));
    if (said.key) known.set(said.key, id);
  };
  return [
    later(0, post),
    ...replies.map(([minutes, who, text]) =>
      later(minutes, () => people[who].ask('POST', `${url()}/replies`, { text })),
    ),
    ...(edited ? [later(1, () => author.ask('PATCH', url(), { text: edited }))] : []),
    ...Object.entries(reactions).flatMap(([emoji, all]) =>
      all.map((who, index) => later(2 + index, () => react(people[who], id, emoji))),
    ),
    ...highFives.map((who) => later(2, () => people[who].ask('PUT', `${url()}/high_five`))),
    ...(pinnedBy
      ? [later(3, () => people[pinnedBy].ask('PUT', `/v1/teams/${teamOf(stage, said)}/pins/${id}`))]
      : []),
    ...(isSaved ? [later(4, () => people.mara.ask('PUT', `/v1/users/me/saved/${id}`))] : []),
    ...aside(stage, said, url, later),
  ];
}

async function bodyOf(stage: Stage, said: Said, known: Map<string, string>): Promise<object> {
  const { people, ids, origin } = stage;
  const { by, to, picture, file, subject } = said;
  const text = said.text.replaceAll(/\{link:(\w+)\}/g, (_, key) => `${origin}/messages/${known.get(key)}`);
  const files = [
    ...(picture ? [await people[by].upload(picture, await PICTURES[picture]())] : []),
    ...(file ? [await people[by].upload(file.name, Buffer.from(file.text))] : []),
  ];
  const address =
    typeof to === 'string'
      ? { addressed_teams: [teamOf(stage, said)], ...(subject && { subject }) }
      : { addressed_users: to.map((who) => ids[who]) };
  return { text, ...address, attachments: { files } };
}

const teamOf = ({ teams }: Stage, { to }: Said): string => (typeof to === 'string' ? teams[to] : '');

function aside(
  { people, ids }: Stage,
  said: Said,
  url: () => string,
  later: (minutes: number, run: () => Promise<unknown>) => Step,
): readonly Step[] {
  const [opening, ...answers] = said.aside ?? [];
  if (!opening) return [];
  const [minutes, opener, text] = opening;
  const users = answers.map(([, who]) => ids[who]);
  let sidebar = '';
  const begin = async () => {
    ({ id: sidebar } = await people[opener].ask('POST', `${url()}/sidebars`, { users, text }));
  };
  return [
    later(minutes, begin),
    ...answers.map(([after, who, answer]) =>
      later(after, () => people[who].ask('POST', `/v1/sidebars/${sidebar}/messages`, { text: answer })),
    ),
  ];
}

/** Plans of the first person: a scheduled message and a reminder. */
async function planAhead({ clock, people, teams }: Stage, known: Map<string, string>): Promise<void> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const tomorrow = (wall: string) => ({ local: wallOf(clock.daysAgo(-1, wall)), zone });
  await people.mara.ask('POST', '/v1/users/me/scheduled_messages', {
    send_at: tomorrow('06:30'),
    message: {
      text: 'Good morning! The regatta fetches its 40 baguettes before nine. There is coffee. ☕',
      addressed_teams: [teams.bakery],
    },
  });
  await people.mara.ask('POST', '/v1/users/me/reminders', {
    at: tomorrow('09:00'),
    message: known.get('form'),
  });
}

/** A time of this machine, as `2026-12-01T09:00`. */
function wallOf(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
