import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../../api/live.ts';
import { refreshOffered } from '../../api/offered.ts';
import {
  changeAnswers,
  inboxCountsQuery,
  membershipsQuery,
  meQuery,
  ownInvitationsQuery,
  personQuery,
  queryClient,
} from '../../api/queries.ts';
import { signal } from '../../api/signal.ts';
import type {
  Message,
  SentEvents,
  SessionUser,
  Sidebar,
  Unfurl,
  UserProfile,
  UserSummary,
} from '../../api/types.ts';
import { forgetWhereabouts, noteWhereabouts } from '../../api/whereabouts.ts';
import { setTitleUnread } from '../../design/page-title.ts';
import { nameOf } from '../../design/person.tsx';
import { tell } from '../../design/toast.tsx';
import { catchUp } from './catch-up.ts';
import { isInConversation, onDirect, refreshConversations } from './direct.ts';
import { refreshEphemeral } from './ephemeral.ts';
import { changeRows } from './inbox.ts';
import { addMessage, listQuery, messageQuery } from './lists.ts';
import { mentionedKey } from './mentioned.ts';
import { asNew, type CommonMessage, isDeleted, merge } from './message-list.ts';
import {
  changeEvery,
  changeMessage,
  changeMessages,
  changeWhere,
  findMessage,
  findWhere,
  readAgain,
  replaceMessage,
  withSidebars,
} from './messages.ts';
import { refreshMutes } from './mutes.ts';
import { refreshObject } from './objects.ts';
import { noteArrival, notePosted, startOutbox, useRefused } from './outbox.ts';
import { forgetPresence, notePresence } from './presence.ts';
import { forgetQuotes, quoteQuery } from './quotes.ts';
import { asRead, forgetAsked, refreshCounts, wasAsked } from './reading.ts';
import { renamed } from './renamed.ts';
import { refreshScheduled } from './scheduled.ts';
import { noteMoved, onSubject, refreshSubjects, subjectBefore } from './subjects.ts';
import { noteSaid, noteTyping } from './typing.ts';

/** Keeps cached messages current, runs the outbox, and announces new messages to screen readers. */
export function LiveMessages() {
  const t = useTranslations('members.message');
  const { data: me } = useQuery(meQuery);
  const userId = me?.id;
  useEffect(() => (userId === undefined ? undefined : startOutbox(userId)), [userId]);
  useEffect(listen, []);
  const { data: counts } = useQuery({ ...inboxCountsQuery, enabled: userId !== undefined });
  useEffect(() => setTitleUnread(counts), [counts]);
  // Without a session nothing is new, as when it has ended elsewhere.
  useEffect(() => () => setTitleUnread({ total: 0, teams: 0 }), []);
  useRefusals();
  const words = lastWords.useValue();
  return (
    <div className="visually-hidden" role="log" aria-live="polite">
      {words && t('said', words)}
    </div>
  );
}

/** Shows a toast when a message is refused: the user may be in another view by then. */
function useRefusals(): void {
  const t = useTranslations('members.unsent');
  const refused = useRefused().length;
  const before = useRef(refused);
  useEffect(() => {
    if (refused > before.current) tell(t('refusedSomewhere'));
    before.current = refused;
  }, [refused, t]);
}

/** @returns a function that ends it */
function listen(): () => void {
  const ends = [
    onLive('ready', () => {
      forgetPresence();
      forgetWhereabouts();
      forgetAsked();
      void catchUp();
      refreshMutes();
      refreshScheduled();
      refreshConversations();
      refreshInvitations();
      refreshEphemeral();
      for (const queryKey of [personQuery('').queryKey.slice(0, 1), mentionedKey, TEAMS])
        void queryClient.invalidateQueries({ queryKey });
    }),
    onLive('posted', notePosted),
    onLive('message.created', ({ message, beside }) => onCreated(message, beside)),
    onLive('sidebar.created', ({ sidebar }) => onSidebar(sidebar)),
    onLive('user.updated', ({ user }) => onUser(user)),
    onLive('message.updated', ({ message }) => onUpdated(message)),
    onLive('message.state', ({ message }) => {
      if ('author' in message) onState(message);
    }),
    onLive('read', onRead),
    onLive('inbox', () => {
      refreshCounts();
      refreshConversations();
    }),
    onLive('mute', ({ kind }) => {
      if (kind === 'application') refreshConversations();
      else refreshMutes(kind);
    }),
    onLive('scheduled', refreshScheduled),
    onLive('object.updated', ({ object }) => {
      void refreshObject(object, ({ addressed_teams }) => membersOf(addressed_teams) * MS_PER_MEMBER);
    }),
    onLive('installation.updated', ({ installation }) => {
      onInstallation(installation);
      refreshEphemeral(installation.team);
      refreshOffered(installation.team);
      // Perhaps nothing can be written there any more.
      refreshConversations();
    }),
    onLive('ephemeral_answers', ({ team }) => refreshEphemeral(team)),
    onLive('typing', noteTyping),
    onLive('presence', ({ user, online }) => {
      notePresence(user, online);
      const { queryKey } = personQuery(user);
      changeAnswers<UserProfile>((person) => ({ ...person, online }), { queryKey });
    }),
    onLive('person.changed', ({ user, status, do_not_disturb_until: quiet }) => {
      noteWhereabouts(user, {
        ...(status && { status }),
        ...(quiet !== null && { do_not_disturb_until: quiet }),
      });
      if (user === queryClient.getQueryData(meQuery.queryKey)?.id)
        void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    }),
    onLive('invitation', refreshInvitations),
    onLive('subject.updated', onSubject),
    onLive('team.updated', (event) => {
      onTeamChange(event);
      if (event.change !== 'changed') forgetQuotes();
    }),
    onLive('team.members', (event) => {
      onTeamChange(event);
      const isMe = event.user === queryClient.getQueryData(meQuery.queryKey)?.id;
      if (isMe) {
        forgetQuotes();
        // Joining answers an invitation.
        refreshInvitations();
      }
      // Perhaps a message would not arrive any more, or would again.
      if (isMe || isInConversation(event.user)) refreshConversations();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The key of all queries about a team, but for its messages and subjects. */
const TEAMS = ['team'];

/** Spreads the requests for counts over time in proportion to the team's size. */
const MS_PER_MEMBER = 1;

const refreshInvitations = () =>
  void queryClient.invalidateQueries({ queryKey: ownInvitationsQuery.queryKey });

function onTeamChange({ team }: { team: string }): void {
  void queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: ['team', team] });
  refreshCounts();
}

function onCreated(common: CommonMessage, beside?: string): void {
  const me = queryClient.getQueryData(meQuery.queryKey);
  // The author no longer sees it, so the event has no content; other readers get it with the next page.
  if (!me || common.author === undefined) return;
  noteSaid(common.author.id);
  const [team] = common.addressed_teams ?? [];
  const membership = queryClient.getQueryData(membershipsQuery.queryKey)?.find((one) => one.team.id === team);
  const known = findMessage(common.id);
  const message = known ? merge(known, common) : asNew(common, me, membership?.is_muted === 1);
  if (message.author.id === me.id) noteArrival(message);
  addMessage(message);
  onDirect(message);
  if (message.author.id === me.id && team !== undefined && message.subject_id !== undefined)
    refreshSubjects(team);
  if (message.reply_to !== undefined) onReply(message, message.reply_to, me);
  // How much is unread there is counted by the server: an answer under way may have counted it, or not.
  if (beside !== undefined) void readAgain(beside);
  if (message.author.id !== me.id) {
    if (!message.is_muted) sayAloud(message);
    refreshCounts((membership?.team.num_members ?? 0) * MS_PER_MEMBER);
  }
}

function onReply(reply: Message, root: string, me: SessionUser): void {
  const own = reply.author.id === me.id;
  changeMessage(root, (message) =>
    own ? { ...message, user_replied: true } : { ...message, unread_reply: true },
  );
}

/** The sidebar's first message follows in an event of its own. */
function onSidebar(created: Partial<Sidebar> & { id: string }): void {
  if (created.message === undefined) return;
  const sidebar = { ...(created as Sidebar), num_messages: 0, unread: 0 };
  const add = withSidebars((sidebars) =>
    sidebars.some(({ id }) => id === sidebar.id) ? sidebars : [...sidebars, sidebar],
  );
  changeMessage(created.message, add);
}

/** An application that was uninstalled shows nothing of its links any more. */
function onInstallation({
  team,
  status,
  application,
}: SentEvents['installation.updated']['installation']): void {
  if (status !== 'removed') return;
  const isIts = (unfurl: Unfurl) => unfurl.application?.id === application.id;
  changeWhere(
    ({ addressed_teams, unfurls }) => addressed_teams.includes(team) && unfurls?.some(isIts) === true,
    ({ unfurls = [], ...message }) => {
      const left = unfurls.filter((unfurl) => !isIts(unfurl));
      return left.length > 0 ? { ...message, unfurls: left } : message;
    },
  );
}

/**
 * A user's name, title or picture has changed. What was read before is changed in place: everybody who knows them hears of
 * it at the same time, and would ask again at once.
 */
function onUser(user: Partial<UserSummary> & { id: string }): void {
  changeEvery(
    ({ author }) => author.id === user.id,
    (message) => ({ ...message, author: { ...message.author, ...user } }),
  );
  changeAnswers((answer) => renamed(answer, user));
  void queryClient.invalidateQueries({ queryKey: personQuery(user.id).queryKey });
  void queryClient.invalidateQueries({ queryKey: mentionedKey });
  if (queryClient.getQueryData(meQuery.queryKey)?.id === user.id) refreshCounts();
}

function onUpdated(common: CommonMessage): void {
  if (common.author !== undefined) {
    noteMoved(common, subjectBefore(common.id));
    changeMessage(common.id, (message) => merge(message, common));
    onDirect({ addressed_teams: common.addressed_teams ?? [], sidebar: common.sidebar });
    if (isDeleted(common)) onDeleted(common);
    else changeRows(common);
  }
  // The author no longer sees it, so the event has no content; the reader may still see it.
  else
    for (const { queryKey } of [messageQuery(common.id), quoteQuery(common.id)])
      void queryClient.invalidateQueries({ queryKey });
}

/** A deleted message counts as read; its root may have no unread replies left. */
function onDeleted({ id, reply_to, sidebar, addressed_teams }: CommonMessage): void {
  changeMessage(id, asRead);
  if (reply_to !== undefined && findMessage(reply_to)?.unread_reply) void readAgain(reply_to);
  if (sidebar !== undefined) readBeside(sidebar);
  refreshCounts(membersOf(addressed_teams) * MS_PER_MEMBER);
}

/** How much is unread in a sidebar stands at the message beside which it is. @param isMore whether it may be more */
function readBeside(sidebar: string, isMore = false): void {
  const beside = findWhere(({ sidebars }) =>
    sidebars.some(({ id, unread }) => id === sidebar && (unread > 0 || isMore)),
  );
  for (const { id } of beside) void readAgain(id);
}

function membersOf([team]: readonly string[] = []): number {
  const memberships = queryClient.getQueryData(membershipsQuery.queryKey) ?? [];
  return memberships.find((one) => one.team.id === team)?.team.num_members ?? 0;
}

function onState(message: Message): void {
  replaceMessage(message);
  onDirect(message);
  if (message.sidebar !== undefined) readBeside(message.sidebar, !message.read);
  const unreadList = { tag: '_unread' } as const;
  const opens = message.reply_to === undefined && message.sidebar === undefined;
  if (!message.read && opens)
    void queryClient.invalidateQueries({ queryKey: listQuery(unreadList).queryKey });
  refreshCounts();
}

/** The user has read a team's messages, or all, in another window. */
function onRead({ team }: { team: string | null }): void {
  if (team !== null && wasAsked(team)) return;
  if (team === null) refreshConversations();
  void readElsewhere(team);
  refreshCounts();
}

/** @param team whose messages were read; null for those of any */
async function readElsewhere(team: string | null): Promise<void> {
  // Messages that come before the answer are not read.
  const unread = findWhere(({ read }) => !read);
  // Without a connection, all of it is caught up with when there is one.
  const memberships = await queryClient
    .fetchQuery({ ...membershipsQuery, staleTime: 0 })
    .catch(() => undefined);
  if (!memberships) return;
  for (const { team: one } of memberships) {
    if (one.unread_count > 0 || (team !== null && one.id !== team)) continue;
    const those = unread.filter(({ addressed_teams }) => addressed_teams.includes(one.id));
    changeMessages(
      those.map(({ id }) => id),
      asRead,
    );
  }
  if (team === null) void catchUp();
  else if (memberships.some(({ team: one }) => one.id === team && one.unread_count > 0)) void catchUp();
}

const SAID = 200;
const lastWords = signal<{ readonly name: string; readonly text: string } | undefined>(undefined);

function sayAloud(message: Message): void {
  const text = (message.blocks ? wordsIn(message.blocks) : message.text) || '…';
  lastWords.set({
    name: nameOf(message.author),
    text: text.length > SAID ? `${text.slice(0, SAID)}…` : text,
  });
}

/** Fields of blocks that are words. */
const WORDS = new Set(['text', 'alt_text', 'caption']);

/** The words of blocks in their order. The text beside them may say something else. */
function wordsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const found = Object.entries(value).map(([name, inner]) =>
    typeof inner === 'string' ? (WORDS.has(name) ? inner : '') : wordsIn(inner),
  );
  return found.filter(Boolean).join(' ');
}
