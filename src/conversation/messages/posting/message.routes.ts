import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  EmptyMessage,
  InvalidFields,
  MAY_LIST,
  MAY_POST,
  MAY_READ_ITSELF,
  MAY_WRITE_ITSELF,
  NobodyAddressed,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  SeveralTeamsAddressed,
  Shared,
  TeamAndUsersAddressed,
  UnreachableAddressee,
  type Viewer,
  viewerOf,
  WrongMention,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { readBlocks } from '../../blocks/index.ts';
import { isSearch } from '../search/search.filter.ts';
import { readSubject } from '../subjects/subject-name.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { ListMeta, Message, MessageEdit, MessagesQuery, NewPost, NewReply } from '../view/message.schema.ts';
import type { ChangeService } from './change.service.ts';
import type { MessageService } from './message.service.ts';
import type { MessageReader } from './message-input.ts';
import type { PostService } from './post.service.ts';
import type { ReplyService } from './reply.service.ts';

const tag = 'Messages';
const Params = Type.Object({ message: Type.String() });
const item = Shared(Message);

export interface MessageDeps {
  readonly db: Database;
  readonly read: MessageReader;
  readonly posts: PostService;
  readonly replies: ReplyService;
  readonly messages: MessageService;
  readonly changes: ChangeService;
  readonly finder: MessageFinder;
}

/** It would be posted to everybody, outside of the thread. */
const ANSWERS_ELSEWHERE = {
  field: 'reply_to',
  message: 'must be left out: answer by POST /v1/messages/{message}/replies',
};

const OF_SEARCHES = ['author', 'after', 'before'] as const;
const OF_LISTS = ['order', 'around', 'at'] as const;
/** A conversation is in no team, and all of it is direct. */
const NOT_OF_CONVERSATIONS = ['team', 'tag', 'subject'] as const;

const NOT_OF_APPLICATIONS = ['with', 'tag', 'subject'] as const;

/** Parameters that only a search takes, or only a list. */
function refuseMixed(query: MessagesQuery, isItself: boolean): void {
  const problems: { field: string; message: string }[] = [];
  const wrong = isSearch(query) ? OF_LISTS : OF_SEARCHES;
  const message = isSearch(query) ? 'goes without q and has' : 'goes with q or has';
  for (const field of wrong) if (query[field] !== undefined) problems.push({ field, message });
  const beside = query.with === undefined || isItself ? [] : NOT_OF_CONVERSATIONS;
  for (const field of beside)
    if (query[field] !== undefined) problems.push({ field, message: 'goes without with' });
  const besideApplication = query.application === undefined || isItself ? [] : NOT_OF_APPLICATIONS;
  for (const field of besideApplication)
    if (query[field] !== undefined) problems.push({ field, message: 'goes without application' });
  if (query.subject !== undefined && query.tag !== undefined && !isSearch(query))
    problems.push({ field: 'tag', message: 'goes without subject in a list' });
  if (problems.length > 0) throw new InvalidFields(problems);
}

export function messageRoutes(app: FastifyInstance, deps: MessageDeps): void {
  const { db, read, posts, replies, messages, changes, finder } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages',
    access: MAY_POST,
    tag,
    summary: 'Post a message to a team, to users or to an application',
    description:
      'With a token of its own and the scope `direct:app` an application writes to one member of the team in `addressed_users`.',
    body: NewPost,
    item,
    errors: [
      InvalidFields,
      EmptyMessage,
      NobodyAddressed,
      SeveralTeamsAddressed,
      TeamAndUsersAddressed,
      WrongMention,
      UnreachableAddressee,
      Conflict,
      NotAllowed,
    ],
    handle: ({ body: { reply_to, ...body }, principal: author, key, batch }) => {
      if (reply_to !== undefined && reply_to !== null) throw new InvalidFields(ANSWERS_ELSEWHERE);
      const { content, to } = read.message(body);
      return batch(
        posts.post,
        { author, content: { ...content, key }, to },
        {
          lane: to.teamId,
          // The rows of files are locked as well, in the order of one message.
          shared: content.fileIds.length === 0,
          again: async (tx, id) => [await messages.postedBefore(tx, author, id, content)],
        },
      );
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages',
    access: MAY_LIST,
    tag,
    summary: 'Messages that the caller may see',
    description:
      'Without `q`, what opens a conversation: replies and sidebars are listed by routes of their own. Each page has ' +
      'the cursors of both its neighbours, null where there is none. With `q` or `has` it is a search: everything that holds ' +
      'the words, and such a thing, the newest first, with a snippet of each in `meta.snippets`. `subject` goes with ' +
      'both. `author`, `after` and `before` go with a search, `order`, `around` and `at` without one; `with` goes ' +
      'without `team` and `tag`. `application` and `team` name the conversation with an application, `with` that of an ' +
      'application as itself with one person.',
    compressed: true,
    query: MessagesQuery,
    item,
    meta: ListMeta,
    errors: [NotFound],
    handle: ({ query, principal }) => {
      refuseMixed(query, principal.itself !== undefined);
      const viewer = viewerOf(principal, 'read');
      return isSearch(query) ? search(viewer, query) : list(viewer, query);
    },
  });

  async function list(viewer: Viewer, query: MessagesQuery) {
    const wanted = {
      newestFirst: query.order !== 'oldest',
      around: query.around,
      at: query.at,
      page: readPage(query, 'id', 'text'),
    };
    const { messages: listed, previous, next } = await messages.list(viewer, query, wanted);
    return new Answer(listed, { previous_cursor: previous, next_cursor: next });
  }

  async function search(viewer: Viewer, query: MessagesQuery) {
    const {
      messages: found,
      next,
      snippets,
    } = await messages.search(viewer, query, readPage(query, 'number'));
    return new Answer(found, { next_cursor: next, snippets });
  }

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message',
    access: MAY_READ_ITSELF,
    tag,
    summary: 'One message',
    params: Params,
    item,
    errors: [NotFound],
    handle: async ({ params, principal }) => [
      await finder.get(db, viewerOf(principal, 'read'), params.message),
    ],
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/messages/:message',
    access: MAY_WRITE_ITSELF,
    tag,
    summary: 'Edit one’s own message, or move a conversation to another subject',
    description:
      'The earlier text is kept as a version. A file that is taken from the message is gone, as those of a deleted one, ' +
      'unless another message holds it. `subject` is for what opens a conversation in a team: its author moves it, or an admin of the team, and nobody is notified.',
    params: Params,
    body: MessageEdit,
    item,
    errors: [NotFound, NotAllowed, InvalidFields, Conflict, WrongMention, UnreachableAddressee],
    handle: ({ params, body, principal, write }) => {
      const subject = body.subject === undefined ? undefined : readSubject(body.subject);
      const format = body.format === undefined ? undefined : read.format(body.format);
      const blocks = body.blocks === undefined ? undefined : (readBlocks(body.blocks) ?? null);
      const attachments = read.attachments(body.attachments);
      const keepsText =
        body.text === undefined && [format, blocks, attachments].some((one) => one !== undefined);
      const isEdit = subject === undefined || body.text !== undefined || keepsText;
      const text = isEdit && !keepsText ? read.text(body.text) : undefined;
      return write(async (tx) => {
        const viewer = viewerOf(principal, 'write');
        if (subject !== undefined) await changes.move(tx, viewer, params.message, subject);
        if (isEdit) await changes.edit(tx, principal, params.message, { text, format, blocks, attachments });
        // An application as itself needs no right to read its own message.
        const reader = viewerOf(principal, principal.itself ? 'write' : 'read');
        return finder.find(tx, reader, params.message);
      });
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/messages/:message',
    access: MAY_WRITE_ITSELF,
    tag,
    summary: 'Delete a message: its text is gone for good, its place stays',
    description: 'By its author, or by an admin of its team.',
    params: Params,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await changes.remove(tx, viewerOf(principal, 'write'), params.message);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/replies',
    access: MAY_READ_ITSELF,
    tag,
    summary: 'The replies to a message, the oldest first',
    compressed: true,
    params: Params,
    query: Type.Object(pageQuery),
    item,
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const page = readPage(query, 'number');
      const { messages: listed, next } = await messages.replies(
        viewerOf(principal, 'read'),
        params.message,
        page,
      );
      return new Answer(listed, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages/:message/replies',
    access: MAY_WRITE_ITSELF,
    tag,
    summary: 'Answer a message; all who see it see the answer',
    description: 'An answer to a reply belongs to the message that the reply answers.',
    params: Params,
    body: NewReply,
    item,
    errors: [NotFound, NotAllowed, InvalidFields, EmptyMessage, WrongMention, Conflict, UnreachableAddressee],
    handle: ({ params, body, principal: author, key, batch }) => {
      const content = { ...read.content(body), key };
      return batch(
        replies.post,
        { author, to: params.message, content },
        {
          shared: content.fileIds.length === 0,
          again: async (tx, id) => [await finder.get(tx, viewerOf(author, 'write'), id)],
        },
      );
    },
  });
}
