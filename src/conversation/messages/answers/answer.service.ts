import type { FastifyRequest } from 'fastify';
import {
  type ApplicationPrincipal,
  asUser,
  InvalidFields,
  lookUp,
  NotAllowed,
  NotFound,
  type UserPrincipal,
  viewerOf,
} from '#api';
import { equalInConstantTime, sign } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import type { InteractionRow } from '#schema';
import { accessTeam } from '../../../teams/index.ts';
import { type Block, readBlocks, readOffer } from '../../blocks/index.ts';
import type { DirectApplications } from '../direct/application.service.ts';
import type { FormService } from '../forms/form.service.ts';
import type { InteractionService } from '../interactions/interaction.service.ts';
import { endAddresses, findInteraction, useAddress } from '../interactions/interaction.store.ts';
import { keepOffer, OPTIONS_WITHIN_MS } from '../interactions/question.service.ts';
import type { ShownInteraction } from '../interactions/surface.ts';
import type { ChangeService } from '../posting/change.service.ts';
import type { MessageReader } from '../posting/message-input.ts';
import type { PostService } from '../posting/post.service.ts';
import type { ReplyService } from '../posting/reply.service.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import { lockMessage } from '../view/view.store.ts';
import type { GivenAnswer } from './answer.schema.ts';
import type { EphemeralService } from './ephemeral.service.ts';

/** A response address is good for so long, and so often. */
export const GOOD_FOR_MS = 30 * 60_000;
export const MOST_USES = 5;

/** The fields that open, change or refuse a form. */
const FORMS = ['form', 'errors'] as const;
const WAYS = ['replace', 'append', 'reply', 'ephemeral'] as const;
type Way = (typeof WAYS)[number];
/** The fields that answer a question for options. */
const OFFERED = ['options', 'option_groups'] as const;

/** The application as itself in a team. @throws NotAllowed @throws ScopeMissing */
export type ActAs = (tx: Tx, applicationId: string, teamId: string) => Promise<UserPrincipal>;

export type AnswerService = ReturnType<typeof answerService>;

/** Carries out an application's answers to clicks, which it posts to their response addresses. */
export function answerService(deps: {
  db: Database;
  clock: Clock;
  /** Of the server: makes the secrets of addresses, so that none has to be kept. */
  key: Buffer;
  baseUrl: () => string;
  read: MessageReader;
  changes: ChangeService;
  posts: PostService;
  replies: ReplyService;
  interactions: InteractionService;
  forms: FormService;
  ephemeral: EphemeralService;
  direct: DirectApplications;
  actAs: ActAs;
}) {
  const {
    db,
    clock,
    key,
    baseUrl,
    read,
    changes,
    posts,
    replies,
    interactions,
    forms,
    ephemeral,
    direct,
    actAs,
  } = deps;

  const secretOf = (id: string) => sign(key, `interaction ${id}`);

  const url = (id: string) => `${baseUrl()}/v1/interactions/${id}/${secretOf(id)}`;

  /** Who knows the address is the application. @throws NotFound */
  async function authenticate({ params }: FastifyRequest): Promise<ApplicationPrincipal> {
    const { interaction, secret } = params as { interaction: string; secret: string };
    const id = parseId(interaction);
    if (id === undefined || !equalInConstantTime(secret, secretOf(id))) throw new NotFound();
    const row = await findInteraction.first(db, { id });
    if (!row) throw new NotFound();
    return { applicationId: row.application_id };
  }

  /**
   * Carries an answer out as if the application did it with its own token.
   * @throws NotFound for an address that is too old or used up, and what the posting of messages throws
   */
  async function answer(tx: Tx, interaction: string, given: GivenAnswer): Promise<Answered> {
    const row = await lookUp(interaction, (id) => findInteraction.first(tx, { id }));
    const way = wayOf(given, row);
    if (row.uses >= MOST_USES || clock() >= row.created_at + GOOD_FOR_MS) throw usedUp();
    const author = await actAs(tx, row.application_id, row.team_id);
    const message = await carryOut(tx, author, row, way, given);
    // The message is locked before its clicks, here as elsewhere.
    const used = await useAddress.first(tx, { id: row.id, most: MOST_USES });
    if (!used) throw usedUp();
    await interactions.end(tx, [row.id], given.failed === true ? 'application_failed' : undefined);
    if (concernsForm(given) && row.status !== 'pending') await interactions.tellAgain(tx, row.id);
    const left = MOST_USES - Number(used.uses);
    const shown = await interactions.get(tx, row.user_id, row.id);
    return { ...shown, uses_left: left, ...(message !== undefined && { message }) };
  }

  async function carryOut(
    tx: Tx,
    author: UserPrincipal,
    row: InteractionRow,
    way: Way | undefined,
    given: GivenAnswer,
  ): Promise<string | undefined> {
    if (row.kind === 'options' && given.failed !== true) {
      if (!(await keepOffer(tx, row.id, readOffer(given)))) throw tooLate();
      return undefined;
    }
    if (given.form) {
      await forms.show(tx, row, given.form);
      return undefined;
    }
    if (concernsForm(given)) {
      await forms.refuse(tx, row, given.errors);
      return undefined;
    }
    const { message_id: id } = row;
    if (way === undefined && (row.surface !== 'message' || given.failed === true)) return undefined;
    if (id === null) return sayInTeam(tx, author, row, way, given);
    if (way === 'append') {
      await append(tx, author, id, given);
      return id;
    }
    const content = way && read.content(given);
    if (way === undefined || content === undefined) {
      refuseDeleted(await accessMessage(tx, viewerOf(author, 'write'), id));
      return undefined;
    }
    if (way === 'replace') {
      const whole = { text: read.text(given.text), format: null, blocks: content.blocks ?? null };
      await changes.edit(tx, author, id, { ...whole, attachments: undefined });
      return id;
    }
    if (way === 'reply') return idOf(await replies.post(tx, [{ author, to: id, content }]));
    const seen = await refuseGone(
      accessMessage(tx, asUser(row.user_id), id),
      'does not see the message any more',
    );
    await direct.refuseClosed(tx, author, seen);
    await ephemeral.add(tx, row, content);
    return undefined;
  }

  /** Answers a command or a shortcut: there is no message that could be changed. */
  async function sayInTeam(
    tx: Tx,
    author: UserPrincipal,
    row: InteractionRow,
    way: Way | undefined,
    given: GivenAnswer,
  ): Promise<string | undefined> {
    if (way === undefined) return undefined;
    if (way === 'replace' || way === 'append')
      throw wrong(way, 'needs a message, and this was asked in a team');
    const content = read.content(given);
    // The person alone reads the conversation with the application.
    if (row.surface === 'direct') {
      const to = { teamId: undefined, userIds: [row.user_id], emails: [] };
      return idOf(await posts.post(tx, [{ author, content, to }]));
    }
    if (way === 'ephemeral') {
      await refuseGone(accessTeam(tx, row.user_id, row.team_id), 'is not in the team any more');
      await ephemeral.add(tx, row, content);
      return undefined;
    }
    const to = { teamId: row.team_id, userIds: [], emails: [] };
    return idOf(await posts.post(tx, [{ author, content, to }]));
  }

  /** Below the blocks that the message has when it is locked. */
  async function append(tx: Tx, author: UserPrincipal, id: string, given: GivenAnswer): Promise<void> {
    if (given.text !== undefined && given.text !== null)
      throw wrong('text', 'goes without append: what is appended are blocks');
    if (!readBlocks(given.blocks)) throw wrong('blocks', 'is required with append');
    const seen = await accessMessage(tx, viewerOf(author, 'write'), id);
    const { blocks_json } = (await lockMessage.first(tx, { id: seen.id })) ?? seen;
    const before = blocks_json === null ? [] : (JSON.parse(blocks_json) as Block[]);
    const blocks = readBlocks([...before, ...(given.blocks as unknown[])]);
    await changes.edit(tx, author, id, {
      ...{ text: undefined, format: undefined, attachments: undefined },
      blocks,
    });
  }

  /** An address is as good as a secret: it ends with those that others may know. */
  async function onCredentialsEnd(tx: Tx, { application }: { application: { id: string } }): Promise<void> {
    const since = clock() - GOOD_FOR_MS;
    await endAddresses(tx, { applicationId: application.id, since, most: MOST_USES });
  }

  return { url, authenticate, answer, onCredentialsEnd };
}

interface Answered extends ShownInteraction {
  uses_left: number;
  message?: string;
}

const usedUp = () =>
  new NotFound(undefined, 'The response address is used up: it is good for 30 minutes, and five times');

const concernsForm = ({ form, errors }: GivenAnswer): boolean =>
  (form !== undefined && form !== null) || (errors !== undefined && errors !== null);

const tooLate = () =>
  new NotFound(undefined, `Options are waited for ${OPTIONS_WITHIN_MS / 1000} seconds, and once`);

const wrong = (field: string, message: string) => new InvalidFields({ field, message });

/** @returns undefined for an answer that only says that it is done @throws InvalidFields */
function wayOf(given: GivenAnswer, { kind }: InteractionRow): Way | undefined {
  const isGiven = (name: keyof GivenAnswer) => given[name] !== undefined && given[name] !== null;
  const refuse = (names: readonly (keyof GivenAnswer)[], message: string) => {
    if (names.length > 0) throw new InvalidFields(names.map((field) => ({ field, message })));
  };
  const ways = WAYS.filter((name) => given[name] === true);
  const contents = (['text', 'blocks'] as const).filter(isGiven);
  const inForms = FORMS.filter(isGiven);
  if (given.failed === true)
    refuse(
      [...ways.filter((way) => way !== 'ephemeral'), ...inForms, ...OFFERED.filter(isGiven)],
      'goes without failed',
    );
  if (kind === 'options')
    refuse([...ways, ...contents, ...inForms], 'does not answer a question for options');
  else refuse(OFFERED.filter(isGiven), 'answers a question for options alone');
  const [form, errors] = inForms;
  if (form !== undefined) refuse([...ways, ...contents], `goes without ${form}`);
  if (errors !== undefined) throw wrong('errors', 'goes without form');
  if (form === 'errors' && kind !== 'form') throw wrong('errors', 'answers a submitted form alone');
  if (form !== undefined && kind === 'form_closed') throw wrong(form, 'comes too late for a closed form');
  const [[way, other], [content]] = [ways, contents];
  if (other !== undefined) throw wrong(other, `goes without ${way}: give one of ${WAYS.join(', ')}`);
  if (way === undefined && content !== undefined)
    throw wrong(content, `needs one of ${WAYS.join(', ')}, which says where it belongs`);
  return way;
}

/** @param outcomes of one post @returns the id of its message @throws the error that refused it */
function idOf([outcome]: Awaited<ReturnType<PostService['post']>>): string | undefined {
  if (!outcome || 'error' in outcome) throw outcome?.error;
  return outcome.value[0]?.id;
}

/** @throws NotAllowed for a person who has lost the place of the answer */
async function refuseGone<T>(found: Promise<T>, message: string): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new NotAllowed('person_gone', `The person ${message}`);
  }
}
