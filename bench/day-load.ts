import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { type Answer, Client } from '../test/support/client.ts';
import type { Colleague, Company, Programs } from './day-people.ts';

/** How often people do what, in a second of a company of 600. */
const MIX = {
  post: 19,
  reply: 9,
  direct: 1,
  sidebar: 1,
  highFive: 6,
  readTeam: 25,
  readOne: 5,
  list: 25,
  inbox: 5,
  counts: 5,
  search: 4,
  edit: 1,
  remove: 1,
  picture: 0.7,
  hook: 3,
} as const;
type Act = keyof typeof MIX;

const MENTIONS = 0.07;
const READERS_OF_PICTURE = 6;
/** Of noise: 21 kB and 1.7 MB. */
const [SMALL_EDGE, LARGE_EDGE] = [84, 760];
const LARGE_PICTURES = 0.3;
/** Requests under way; above that the server is overloaded, and the next ones wait as people do. */
const MOST_UNDER_WAY = 300;
const RECENT = 400;
/** The rate rises for so long: at the height of a day, people's connections have been open for hours. */
const RISES_S = 2;

/** What was acknowledged of a message. */
export interface Posted {
  readonly id: string;
  readonly kind: 'team' | 'reply' | 'direct' | 'sidebar';
  readonly author: Colleague | undefined;
  readonly team: string | undefined;
  text: string;
  deleted: boolean;
  isChanging: boolean;
  replies: number;
  readonly highFives: Set<string>;
}

/** Somebody was called by name: when, and when their stream told it. */
export interface Mention {
  readonly userId: string;
  readonly text: string;
  readonly sentAt: number;
  noticedAt: number | undefined;
}

/** Texts of this process: several days leave theirs in one database. */
let count = 0;

/** A working day's mix of requests at a steady rate, and a model of what the server has acknowledged. */
export class DayLoad {
  readonly posted = new Map<string, Posted>();
  readonly mentions = new Map<string, Mention>();
  readonly uploads = new Map<string, { bytes: Buffer; by: Colleague; message: string }>();
  /** Milliseconds of each request, by what it does. */
  readonly times = new Map<Act, number[]>();
  /** Answers other than a success, and requests without one. */
  readonly faults: string[] = [];
  readonly #url: string;
  readonly #company: Company;
  readonly #programs: Programs;
  readonly #chance: () => number;
  readonly #recent: Posted[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #clients = new Map<string, Client>();

  constructor(url: string, company: Company, programs: Programs, chance: () => number) {
    this.#url = url;
    this.#company = company;
    this.#programs = programs;
    this.#chance = chance;
  }

  /** @param factor how many times the mix of one second */
  async run(seconds: number, factor: number): Promise<void> {
    const acts = Object.entries(MIX) as [Act, number][];
    const done = new Map<Act, number>();
    const begun = performance.now();
    for (let passed = 0; passed < seconds; passed = (performance.now() - begun) / 1000) {
      const risen = passed < RISES_S ? passed ** 2 / (2 * RISES_S) : passed - RISES_S / 2;
      for (const [act, rate] of acts) {
        const due = risen * rate * factor;
        for (let made = done.get(act) ?? 0; made < due; made += 1) {
          if (this.#underWay.size >= MOST_UNDER_WAY) break;
          done.set(act, made + 1);
          this.#begin(act);
        }
      }
      await pause(5);
    }
    await Promise.all(this.#underWay);
  }

  /** A stream told of a conversation. */
  noticed(userId: string, conversation: string): void {
    const mention = this.mentions.get(conversation);
    if (mention?.userId === userId) mention.noticedAt ??= performance.now();
  }

  #begin(act: Act): void {
    const begun = performance.now();
    const one = this.#carryOut(act)
      .then(
        () => {
          const times = this.times.get(act) ?? [];
          times.push(performance.now() - begun);
          this.times.set(act, times);
        },
        (error: unknown) => void this.faults.push(`${act}: ${(error as Error).message}`),
      )
      .finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#chance() * all.length)] as T;
  }

  /** A message that was posted lately, of some kinds. */
  #lately(...kinds: readonly Posted['kind'][]): Posted | undefined {
    for (let tries = 0; tries < 20 && this.#recent.length > 0; tries += 1) {
      const one = this.#pick(this.#recent);
      if (kinds.includes(one.kind) && !one.deleted) return one;
    }
    return undefined;
  }

  #as(person: Colleague): Client {
    const client =
      this.#clients.get(person.id) ?? new Client(this.#url, { Cookie: person.cookie, Origin: this.#url });
    this.#clients.set(person.id, client);
    return client;
  }

  #note(answer: Answer, of: Pick<Posted, 'kind' | 'author' | 'team' | 'text'>): Posted {
    const one = {
      id: ok(answer).data[0].id,
      ...of,
      deleted: false,
      isChanging: false,
      replies: 0,
      highFives: new Set<string>(),
    };
    this.posted.set(one.id, one);
    this.#recent.push(one);
    if (this.#recent.length > RECENT) this.#recent.shift();
    return one;
  }

  /** Its number makes a text unlike any other. */
  #text(): string {
    count += 1;
    return `Number ${count}x: the bread of the day is ready, ${'and then some '.repeat(count % 5)}`.trim();
  }

  async #carryOut(act: Act): Promise<void> {
    const team = this.#pick(this.#company.teams);
    const person = this.#pick(team.members);
    const client = this.#as(person);
    if (act === 'post') return this.#post(team, person);
    if (act === 'list') return void ok(await client.get(`/v1/messages?team=${team.id}&limit=50`));
    if (act === 'inbox') return void ok(await client.get('/v1/users/me/inbox'));
    if (act === 'counts') return void ok(await client.get('/v1/users/me/inbox/counts'));
    if (act === 'search') return void ok(await client.get(`/v1/messages?q=${count}x`));
    if (act === 'hook') return this.#hook(team.id);
    if (act === 'picture') return this.#picture(team, person);
    if (act === 'direct') return this.#direct(person, this.#pick(this.#company.people));
    const message = this.#lately('team');
    if (!message?.team) return undefined;
    // Its author may delete it meanwhile.
    return this.#about(act, message, message.team).catch((error: unknown) => {
      if (!message.deleted || act === 'remove') throw error;
    });
  }

  async #about(act: Act, message: Posted, teamId: string): Promise<void> {
    const members = this.#company.teams.find(({ id }) => id === teamId)?.members ?? [];
    const reader = this.#pick(members);
    const client = this.#as(reader);
    if (act === 'readTeam')
      return void ok(await client.put(`/v1/teams/${teamId}/read`, { up_to: message.id }));
    if (act === 'readOne') return void ok(await client.put(`/v1/messages/${message.id}/read`));
    if (act === 'highFive') {
      if (message.author?.id === reader.id) return;
      ok(await client.put(`/v1/messages/${message.id}/high_five`));
      message.highFives.add(reader.id);
    }
    if (act === 'reply') {
      const text = this.#text();
      const answer = await client.post(`/v1/messages/${message.id}/replies`, { text });
      this.#note(answer, { kind: 'reply', author: reader, team: teamId, text });
      message.replies += 1;
    }
    if (act === 'sidebar') {
      const other = this.#pick(members);
      if (other.id === reader.id) return;
      const text = this.#text();
      ok(await client.post(`/v1/messages/${message.id}/sidebars`, { text, users: [other.id] }));
    }
    if (act === 'edit' && message.author) {
      if (message.isChanging) return;
      const text = this.#text();
      message.isChanging = true;
      ok(await this.#as(message.author).patch(`/v1/messages/${message.id}`, { text }));
      message.text = text;
      message.isChanging = false;
    }
    if (act === 'remove' && message.author && !message.isChanging) {
      message.deleted = true;
      ok(await this.#as(message.author).delete(`/v1/messages/${message.id}`));
    }
  }

  async #post(team: Company['teams'][number], author: Colleague): Promise<void> {
    const mentioned = this.#chance() < MENTIONS ? this.#pick(team.members) : undefined;
    const isMention = mentioned && mentioned.id !== author.id;
    const text = this.#text() + (isMention ? ` @${mentioned.name}` : '');
    const sentAt = performance.now();
    const answer = await this.#as(author).post('/v1/messages', { text, addressed_teams: [team.id] });
    const { id } = this.#note(answer, { kind: 'team', author, team: team.id, text });
    if (isMention) this.mentions.set(id, { userId: mentioned.id, text, sentAt, noticedAt: undefined });
  }

  async #hook(teamId: string): Promise<void> {
    const text = this.#text();
    const answer = await new Client(this.#url).post(this.#programs.hooks.get(teamId) as string, { text });
    if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  }

  async #direct(author: Colleague, to: Colleague): Promise<void> {
    if (author.id === to.id || !author.teams.some((team) => to.teams.includes(team))) return;
    const text = this.#text();
    const answer = await this.#as(author).post('/v1/messages', { text, addressed_users: [to.id] });
    this.#note(answer, { kind: 'direct', author, team: undefined, text });
  }

  async #picture(team: Company['teams'][number], author: Colleague): Promise<void> {
    const edge = this.#chance() < LARGE_PICTURES ? LARGE_EDGE : SMALL_EDGE;
    const noise = { raw: { width: edge, height: edge, channels: 3 } } as const;
    const bytes = await sharp(randomBytes(edge * edge * 3), noise)
      .png({ compressionLevel: 0 })
      .toBuffer();
    const raw = new FormData();
    raw.set('file', new Blob([new Uint8Array(bytes)]), 'picture.png');
    const sent = ok(await this.#as(author).ask('POST', '/v1/attachments', { raw }));
    const file = sent.data[0].id as string;
    const text = this.#text();
    const attachments = { files: [file] };
    const answer = await this.#as(author).post('/v1/messages', {
      text,
      addressed_teams: [team.id],
      attachments,
    });
    const { id: message } = this.#note(answer, { kind: 'team', author, team: team.id, text });
    this.uploads.set(file, { bytes, by: author, message });
    for (let read = 0; read < READERS_OF_PICTURE; read += 1)
      await this.#read(file, message, this.#pick(team.members));
  }

  async #read(file: string, message: string, reader: Colleague): Promise<void> {
    const answer = await this.#as(reader).get(`/v1/attachments/${file}/thumbnail`);
    if (!this.posted.get(message)?.deleted) ok(answer);
  }
}

function ok(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  return answer;
}
