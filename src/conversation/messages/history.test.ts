import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Answer } from '../../../test/support/client.ts';
import { mailsSettle } from '../../../test/support/mailbox.ts';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { propertyRuns } from '../../../test/support/property.ts';
import { scene } from '../../../test/support/scene.ts';

/**
 * Replays random histories and compares every flag and count, and the mails, with a model that knows nothing of
 * cursors: it remembers for each person, in plain sets, what they have not read.
 */
interface Said {
  readonly id: string;
  readonly author: number;
  readonly team: number | undefined;
  readonly addressees: readonly number[];
  /** The message that it answers. */
  readonly root: Said | undefined;
  readonly aside: Aside | undefined;
  readonly replies: Said[];
  readonly asides: Aside[];
  readonly highFives: Set<number>;
  readonly events: string[];
}

interface Aside {
  readonly id: string;
  readonly beside: Said;
  readonly people: readonly number[];
  readonly messages: Said[];
}

const TEAMS = [
  [0, 1, 2],
  [0, 3],
];
const EVERYBODY = [0, 1, 2, 3];

const MESSAGE_LINK = /\/messages\/([\da-f-]{36})$/gm;
/** Longer than a history takes: each person gets one mail, at its end. */
const BATCH_SECONDS = 3600;

const { server, mailbox } = scene({
  mail: true,
  environment: { MAIL_BATCH_SECONDS: String(BATCH_SECONDS) },
});

class World {
  readonly people: Person[] = [];
  readonly teams: string[] = [];
  /** The messages that open conversations, in order. */
  readonly said: Said[] = [];
  readonly asides: Aside[] = [];
  readonly unread = EVERYBODY.map(() => new Set<Said>());
  readonly mutedMessages = EVERYBODY.map(() => new Set<Said>());
  private bursts = 0;
  readonly mutedTeams = EVERYBODY.map(() => new Set<number>());
  /** Messages that were muted while they waited to be mailed: those may be left out, also after the mute ended. */
  readonly wereQuiet = EVERYBODY.map(() => new Set<Said>());

  async begin(): Promise<this> {
    this.people.push(...(await Promise.all(['Ada', 'Bob', 'Cy', 'Dee'].map((name) => signUp(server, name)))));
    for (const members of TEAMS) {
      const [admin, ...others] = members.map((index) => this.people[index] as Person);
      this.teams.push(await makeTeam(admin as Person, others));
    }
    return this;
  }

  client(who: number) {
    return (this.people[who] as Person).client;
  }

  sees(who: number, { team, author, addressees, root, aside }: Said): boolean {
    if (aside) return aside.people.includes(who);
    if (root) return this.sees(who, root);
    return team === undefined
      ? author === who || addressees.includes(who)
      : (TEAMS[team]?.includes(who) ?? false);
  }

  /** Every message of every kind that a person sees. */
  seenBy(who: number): Said[] {
    const all = [...this.said, ...this.said.flatMap(({ replies }) => replies)];
    return [...all, ...this.asides.flatMap(({ messages }) => messages)].filter((one) => this.sees(who, one));
  }

  private new(id: string, author: number, where: Partial<Said>): Said {
    return {
      id,
      author,
      team: undefined,
      addressees: [],
      root: undefined,
      aside: undefined,
      replies: [],
      asides: [],
      highFives: new Set(),
      events: [],
      ...where,
    };
  }

  private async ask(who: number, method: string, path: string, json?: unknown) {
    const answer = await this.client(who).ask(method, path, json === undefined ? {} : { json });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.data[0];
  }

  /** One step; the numbers choose who does what to which. Some do nothing where there is nothing to do it to. */
  async step([action, who, which, more]: readonly [number, number, number, number]): Promise<void> {
    const mine = this.seenBy(who);
    const target = mine[which % Math.max(1, mine.length)];
    if (action < 3 || !target)
      return more % 3 === 0 ? this.postDirect(who, which) : this.postToTeam(who, which);
    const news = mine.filter((one) => this.unread[who]?.has(one));
    const fresh = news[which % Math.max(1, news.length)] ?? target;
    const deleted = target.events.includes('deleted');
    const steps = [
      () => this.reply(who, target),
      () => this.reply(who, fresh),
      () => this.read(who, more % 4 === 0 ? target : fresh),
      () => this.highFive(who, target, more % 3 > 0),
      () => this.unreadAgain(who, target),
      () => this.mute(who, target, more % 2 === 0),
      () => this.readUpTo(who, target),
      () => this.openAside(who, target, deleted, more),
      () => this.writeAside(who, more),
      () => this.edit(who, target, deleted, more),
      () => this.remove(who, target),
      () => this.muteTeam(who, which, more % 2 === 0),
      () => this.readAll(who),
      () => this.postTogether(who, which, more),
    ];
    await steps[(action - 3) % steps.length]?.();
  }

  /** It is new to everybody who sees it but its author. */
  private arrive(said: Said): void {
    for (const one of EVERYBODY) {
      if (one === said.author || !this.sees(one, said)) continue;
      this.unread[one]?.add(said);
      this.noteQuiet(one);
    }
  }

  private noteQuiet(who: number): void {
    for (const one of this.seenBy(who)) if (this.isQuiet(who, one)) this.wereQuiet[who]?.add(one);
  }

  /** Muted with its team, with its conversation, or with the one beside which it was said. */
  private isQuiet(who: number, said: Said): boolean {
    const { team, aside } = said;
    const conversations = [said, ...(aside ? [aside.beside] : [])].map((one) => one.root ?? one);
    const muted = conversations.some((one) => this.mutedMessages[who]?.has(one));
    return muted || (team !== undefined && (this.mutedTeams[who]?.has(team) ?? false));
  }

  /** Of a reply in a team, those are mailed who wrote what it answers, or an earlier reply. */
  private concerns(who: number, said: Said, counts: (reply: Said) => boolean): boolean {
    const { root } = said;
    if (!root || root.team === undefined || root.author === who) return true;
    const earlier = root.replies.slice(0, root.replies.indexOf(said));
    return earlier.some((reply) => reply.author === who && counts(reply));
  }

  /** Messages that are read or muted are not mailed. Unread ones that concern a person are, once. */
  checkMails(who: number): void {
    const waiting = [...(this.unread[who] ?? [])].filter(
      (said) => said.author !== who && !this.isQuiet(who, said),
    );
    const allowed = waiting.filter((said) => this.concerns(who, said, () => true));
    // A reply that was deleted meanwhile may have counted, or not.
    const wanted = allowed.filter(
      (said) =>
        !this.wereQuiet[who]?.has(said) &&
        this.concerns(who, said, ({ events }) => !events.includes('deleted')),
    );
    const mails = mailbox.of((this.people[who] as Person).email);
    const mailed = mails.flatMap(({ text }) => [...text.matchAll(MESSAGE_LINK)].map(([, id]) => id));
    const ids = (all: readonly Said[]) => all.map(({ id }) => id);
    expect(ids(allowed)).toEqual(expect.arrayContaining(mailed));
    expect(mailed).toEqual(expect.arrayContaining(ids(wanted)));
    expect(mailed).toEqual([...new Set(mailed)]);
  }

  private async postToTeam(author: number, which: number): Promise<void> {
    const own = TEAMS.map((_, index) => index).filter((index) => TEAMS[index]?.includes(author));
    const team = own[which % own.length] as number;
    const { id } = await this.ask(author, 'POST', '/v1/messages', {
      text: 'team',
      addressed_teams: [this.teams[team]],
    });
    const said = this.new(id, author, { team });
    this.said.push(said);
    this.arrive(said);
  }

  private async postDirect(author: number, which: number): Promise<void> {
    const known = EVERYBODY.filter((other) =>
      TEAMS.some((team) => team.includes(author) && team.includes(other)),
    );
    const addressees = known.filter((_, index) => (which >> index) % 2 === 0);
    if (addressees.length === 0) addressees.push(author);
    const addressed_users = addressees.map((index) => this.people[index]?.id);
    const { id } = await this.ask(author, 'POST', '/v1/messages', { text: 'direct', addressed_users });
    const said = this.new(id, author, { addressees });
    this.said.push(said);
    this.arrive(said);
  }

  /** Several at the same moment, which one transaction may carry out; some of them are refused. */
  private async postTogether(who: number, which: number, more: number): Promise<void> {
    const key = `${this.teams[0]} ${++this.bursts}`;
    const sent = Array.from({ length: 3 + (more % 6) }, (_, n) =>
      this.attempt((who + n) % 4, which + n, key),
    );
    const answers = await Promise.all(sent.map(({ answer }) => answer));
    const posted = new Map<string, Said>();
    for (const [index, { author, where }] of sent.entries()) {
      const { status, data, text } = answers[index] as Answer;
      expect(status === 200, text).toBe(where !== undefined);
      if (where) posted.set(data[0].id, this.new(data[0].id, author, where));
    }
    const keyed = sent.flatMap(({ isKeyed, where }, n) => (isKeyed && where ? [answers[n]?.data[0].id] : []));
    expect(new Set(keyed).size).toBe(Math.min(1, keyed.length));
    for (const said of [...posted.values()].sort((one, other) => (one.id < other.id ? -1 : 1))) {
      this.said.push(said);
      this.arrive(said);
    }
  }

  /** One post, and where it stands if it is not refused. */
  private attempt(author: number, kind: number, key: string) {
    const post = (body: object, headers: Record<string, string> = {}) =>
      this.client(author).post('/v1/messages', { text: 'together {0}', ...body }, headers);
    const team = kind % 2;
    const mayPost = TEAMS[team]?.includes(author);
    const toTeam = { addressed_teams: [this.teams[team]] };
    switch (kind % 5) {
      case 0:
        return {
          author,
          isKeyed: false,
          where: { addressees: [author] },
          answer: post({ addressed_users: [this.people[author]?.id] }),
        };
      case 1: {
        const mentions = [{ type: 'appobject', id: crypto.randomUUID() }];
        return { author, isKeyed: false, where: undefined, answer: post({ ...toTeam, mentions }) };
      }
      // One person repeats a request at the same moment.
      case 2: {
        const who = TEAMS[0]?.[0] as number;
        const answer = this.client(who).post(
          '/v1/messages',
          { text: 'once', addressed_teams: [this.teams[0]] },
          { 'Idempotency-Key': key },
        );
        return { author: who, isKeyed: true, where: { team: 0 }, answer };
      }
      // A request that comes twice at once is refused twice.
      case 3: {
        const keyed = () => post(toTeam, { 'Idempotency-Key': `${key} ${author} ${team}` });
        const answer = Promise.all([keyed(), keyed()]).then(([one, other]) => {
          expect([other.status, other.data?.[0].id]).toEqual([one.status, one.data?.[0].id]);
          return one;
        });
        return { author, isKeyed: false, where: mayPost ? { team } : undefined, answer };
      }
      default:
        return { author, isKeyed: false, where: mayPost ? { team } : undefined, answer: post(toTeam) };
    }
  }

  private async reply(author: number, target: Said): Promise<void> {
    const root = target.root ?? target;
    if (target.aside || [target, root].some(({ events }) => events.includes('deleted'))) return;
    const { id } = await this.ask(author, 'POST', `/v1/messages/${target.id}/replies`, { text: 'reply' });
    const said = this.new(id, author, { root, team: root.team, addressees: root.addressees });
    root.replies.push(said);
    this.arrive(said);
  }

  private async highFive(who: number, target: Said, give: boolean): Promise<void> {
    // Where nobody may reply any more, nobody reacts to a reply.
    if (give && [target, target.root].some((one) => one?.events.includes('deleted'))) return;
    await this.ask(who, give ? 'PUT' : 'DELETE', `/v1/messages/${target.id}/high_five`);
    if (give) target.highFives.add(who);
    else target.highFives.delete(who);
  }

  /** A message with its replies; a reply, or what is said aside, with all before it. */
  private async read(who: number, target: Said): Promise<void> {
    await this.ask(who, 'PUT', `/v1/messages/${target.id}/read`);
    const line = target.aside?.messages ?? target.root?.replies;
    const done = line ? line.slice(0, line.indexOf(target) + 1) : [target, ...target.replies];
    for (const one of done) this.unread[who]?.delete(one);
  }

  private async unreadAgain(who: number, target: Said): Promise<void> {
    await this.ask(who, 'DELETE', `/v1/messages/${target.id}/read`);
    const line = target.aside?.messages ?? target.root?.replies;
    const again = line ? line.slice(line.indexOf(target)).filter(({ author }) => author !== who) : [target];
    for (const one of again) if (!one.events.includes('deleted')) this.unread[who]?.add(one);
  }

  private async mute(who: number, target: Said, muted: boolean): Promise<void> {
    await this.ask(who, muted ? 'PUT' : 'DELETE', `/v1/messages/${target.id}/mute`);
    const conversation = target.root ?? target;
    if (muted) this.mutedMessages[who]?.add(conversation);
    else this.mutedMessages[who]?.delete(conversation);
    this.noteQuiet(who);
  }

  private async muteTeam(who: number, which: number, is_muted: boolean): Promise<void> {
    const own = TEAMS.map((_, index) => index).filter((index) => TEAMS[index]?.includes(who));
    const team = own[which % own.length] as number;
    await this.ask(who, 'PATCH', `/v1/users/me/teams/${this.teams[team]}`, { is_muted });
    if (is_muted) this.mutedTeams[who]?.add(team);
    else this.mutedTeams[who]?.delete(team);
    this.noteQuiet(who);
  }

  private async readUpTo(who: number, target: Said): Promise<void> {
    if (target.team === undefined || target.root || target.aside) return;
    await this.ask(who, 'PUT', `/v1/teams/${this.teams[target.team]}/read`, { up_to: target.id });
    const stream = this.said.filter(({ team }) => team === target.team);
    for (const one of stream.slice(0, stream.indexOf(target) + 1)) this.unread[who]?.delete(one);
  }

  private async readAll(who: number): Promise<void> {
    const counts = await this.ask(who, 'PUT', '/v1/users/me/read');
    expect(counts.user).toEqual({ total: 0, direct: 0 });
    this.unread[who]?.clear();
  }

  private async openAside(who: number, target: Said, deleted: boolean, more: number): Promise<void> {
    if (deleted || target.aside) return;
    const others = EVERYBODY.filter((other) => other !== who && this.sees(other, target));
    const named = others.filter((_, index) => (more >> index) % 2 === 0);
    if (named.length === 0) return;
    const users = named.map((index) => this.people[index]?.id);
    const { id } = await this.ask(who, 'POST', `/v1/messages/${target.id}/sidebars`, {
      users,
      text: 'aside',
    });
    const people = [who, ...named];
    const aside: Aside = { id, beside: target, people, messages: [] };
    target.asides.push(aside);
    this.asides.push(aside);
    const { data } = await this.client(who).get(`/v1/sidebars/${id}/messages`);
    this.say(who, aside, data[0].id);
  }

  private async writeAside(who: number, more: number): Promise<void> {
    const own = this.asides.filter(({ people }) => people.includes(who));
    const aside = own[more % Math.max(1, own.length)];
    if (!aside) return;
    const { id } = await this.ask(who, 'POST', `/v1/sidebars/${aside.id}/messages`, { text: 'aside' });
    this.say(who, aside, id);
  }

  private say(author: number, aside: Aside, id: string): void {
    const said = this.new(id, author, { aside, team: aside.beside.team });
    aside.messages.push(said);
    this.arrive(said);
  }

  private async edit(who: number, target: Said, deleted: boolean, more: number): Promise<void> {
    if (target.author !== who || deleted) return;
    await this.ask(who, 'PATCH', `/v1/messages/${target.id}`, {
      text: `edited ${more} ${target.events.length}`,
    });
    target.events.push('edited');
  }

  private async remove(who: number, target: Said): Promise<void> {
    if (target.author !== who) return;
    await this.ask(who, 'DELETE', `/v1/messages/${target.id}`);
    target.events.splice(0, target.events.length, 'deleted');
    for (const one of EVERYBODY) this.unread[one]?.delete(target);
  }

  /** The flags and counts that the interface should show for a message. */
  expected(who: number, said: Said): Record<string, unknown> {
    const isUnread = (one: Said) => this.unread[who]?.has(one) ?? false;
    const conversation = said.root ?? said;
    const muted = this.mutedMessages[who]?.has(conversation) ?? false;
    const is_muted = muted || (said.team !== undefined && (this.mutedTeams[who]?.has(said.team) ?? false));
    const asides = said.asides.filter(({ people }) => people.includes(who));
    const user_replied = said.replies.some(({ author }) => author === who);
    return {
      id: said.id,
      read: !isUnread(said),
      tags: this.tags(who, said),
      muted,
      is_muted,
      subscribed_to: !is_muted && (said.author === who || said.addressees.includes(who) || user_replied),
      num_replies: said.replies.length,
      num_high_fives: said.highFives.size,
      user_high_fived: said.highFives.has(who),
      user_replied,
      unread_reply: said.replies.some(isUnread),
      unread_sidebar: asides.some(({ messages }) => messages.some(isUnread)),
      user_replied_to_sidebar: asides.some(({ messages }) =>
        messages.slice(1).some(({ author }) => author === who),
      ),
      sidebars: asides.map(({ id, messages }) => [id, messages.length, messages.filter(isUnread).length]),
      events: said.events.slice(-10),
    };
  }

  tags(who: number, said: Said): string[] {
    const sent = said.author === who;
    const received = !sent || (!said.root && !said.aside && said.addressees.includes(who));
    const direct = said.aside !== undefined || said.team === undefined;
    return [
      ...(sent ? ['_sent'] : []),
      ...(received ? ['_inbox', direct ? '_direct' : '_other'] : []),
      ...(this.unread[who]?.has(said) ? ['_unread'] : []),
    ];
  }

  async check(who: number): Promise<void> {
    const client = this.client(who);
    const visible = this.said.filter((said) => this.sees(who, said)).reverse();
    for (const tag of [undefined, '_inbox', '_sent', '_direct', '_unread']) {
      const wanted = visible.filter((said) => tag === undefined || this.tags(who, said).includes(tag));
      const list = `/v1/messages?${tag ? `tag=${tag}&` : ''}`;
      const shown = wanted.map((said) => this.expected(who, said));
      expect(await everyPage(client, list)).toEqual(shown);
      // The others walk along the same indexes.
      if (tag !== undefined && tag !== '_unread') continue;
      expect(await everyPage(client, `${list}order=oldest&`)).toEqual(shown.toReversed());
      await this.checkAround(who, list, visible, wanted);
    }
    for (const [team, id] of this.teams.entries()) {
      if (!TEAMS[team]?.includes(who)) continue;
      const unread = visible.filter((said) => said.team === team && this.unread[who]?.has(said));
      expect(await everyPage(client, `/v1/messages?team=${id}&tag=_unread&`)).toEqual(
        unread.map((said) => this.expected(who, said)),
      );
    }
    for (const said of visible.filter(({ replies }) => replies.length > 0)) {
      expect(await everyPage(client, `/v1/messages/${said.id}/replies?`)).toEqual(
        said.replies.map((reply) => this.expected(who, reply)),
      );
    }
    for (const { id, messages } of this.asides.filter(({ people }) => people.includes(who))) {
      expect(await everyPage(client, `/v1/sidebars/${id}/messages?`)).toEqual(
        messages.map((said) => this.expected(who, said)),
      );
    }
    await this.checkCounts(who, visible);
  }

  /** From a message in the middle of a list every other one is reached, in both directions and orders. */
  private async checkAround(
    who: number,
    list: string,
    visible: readonly Said[],
    wanted: readonly Said[],
  ): Promise<void> {
    const client = this.client(who);
    const other = visible.find((said) => !wanted.includes(said));
    if (other) expect((await client.get(`${list}around=${other.id}`)).code).toBe(4040);
    const middle = wanted[Math.floor(wanted.length / 3)];
    if (!middle) return;
    const ids = wanted.map(({ id }) => id);
    const order = who % 2 === 0 ? 'newest' : 'oldest';
    const all = order === 'newest' ? ids : ids.toReversed();
    const around = await client.get(`${list}order=${order}&limit=5&around=${middle.id}`);
    const page = around.data.map(({ id }) => id);
    const at = all.indexOf(middle.id);
    expect(page).toEqual(all.slice(Math.max(0, at - 2), at + 3));
    const { previous_cursor, next_cursor } = around.body.meta;
    const before = await follow(client, `${list}order=${order}&limit=5`, 'previous_cursor', previous_cursor);
    const after = await follow(client, `${list}order=${order}&limit=5`, 'next_cursor', next_cursor);
    expect([...before, ...page, ...after]).toEqual(all);
  }

  private async checkCounts(who: number, visible: readonly Said[]): Promise<void> {
    const unread = visible.filter((said) => this.unread[who]?.has(said));
    const count = (tag: string) => unread.filter((said) => this.tags(who, said).includes(tag)).length;
    const own = TEAMS.map((_, index) => index).filter((index) => TEAMS[index]?.includes(who));
    const ofTeam = (team: number) => unread.filter((said) => said.team === team).length;
    const { unread_counts } = (await this.client(who).get('/v1/users/me')).data[0];
    const direct = unread.filter(({ addressees }) => addressees.includes(who)).length;
    expect(unread_counts.teams).toEqual(
      Object.fromEntries(own.map((team) => [this.teams[team], ofTeam(team)])),
    );
    expect(unread_counts.user).toEqual({ total: unread.length, direct });
    const tags = ['_sent', '_other', '_inbox', '_direct', '_unread'];
    expect(unread_counts.tags).toEqual(Object.fromEntries(tags.map((tag) => [tag, count(tag)])));
    const { data } = await this.client(who).get('/v1/users/me/teams');
    for (const { team } of data) expect(team.unread_count).toBe(ofTeam(this.teams.indexOf(team.id)));
  }
}

/** The ids on all pages beyond a cursor, in the order of the list; the way back from each is there, too. */
async function follow(
  client: Person['client'],
  path: string,
  way: 'previous_cursor' | 'next_cursor',
  begin: string | null,
): Promise<string[]> {
  let found: string[] = [];
  for (let cursor = begin; cursor !== null; ) {
    const { data, body } = await client.get(`${path}&cursor=${cursor}`);
    const ids = data.map(({ id }) => id);
    expect(ids).not.toEqual([]);
    expect(body.meta[way === 'next_cursor' ? 'previous_cursor' : 'next_cursor']).toBeTypeOf('string');
    found = way === 'next_cursor' ? [...found, ...ids] : [...ids, ...found];
    cursor = body.meta[way];
  }
  return found;
}

/** In small pages, so that cursors are followed too. */
async function everyPage(client: Person['client'], path: string): Promise<unknown[]> {
  const shown: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { data, body } = await client.get(`${path}limit=7${cursor}`);
    shown.push(...data.map(show));
    if (!body.meta.next_cursor) return shown;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a message as it comes
function show(message: any): Record<string, unknown> {
  const { id, read, tags, muted, is_muted, subscribed_to, num_replies, num_high_fives } = message;
  const { user_high_fived, user_replied, unread_reply, unread_sidebar, user_replied_to_sidebar } = message;
  return {
    ...{ id, read, tags, muted, is_muted, subscribed_to, num_replies, num_high_fives },
    ...{ user_high_fived, user_replied, unread_reply, unread_sidebar, user_replied_to_sidebar },
    sidebars: message.sidebars.map((one: { id: string; num_messages: number; unread: number }) => [
      one.id,
      one.num_messages,
      one.unread,
    ]),
    events: message.events.map(({ type }: { type: string }) => type),
  };
}

it('every flag, count and mail is right for everybody, whatever happened (claim: deleted-is-read)', async () => {
  const step = fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 3 }), fc.nat({ max: 63 }), fc.nat({ max: 31 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 45, size: 'max' }), async (steps) => {
      const world = await new World().begin();
      for (const one of steps) await world.step(one);
      await Promise.all(EVERYBODY.map((who) => world.check(who)));
      await mailsSettle(server);
      server.clock.advance(BATCH_SECONDS);
      await mailsSettle(server);
      for (const who of EVERYBODY) world.checkMails(who);
    }),
    // Shrinking would take a minute of HTTP; the seed replays the history as it was.
    { numRuns: propertyRuns(8), endOnFailure: true },
  );
}, 120_000);
