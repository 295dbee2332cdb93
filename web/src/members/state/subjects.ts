import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../../api/client.ts';
import { changeAnswers, queryClient } from '../../api/queries.ts';
import type { Message, Subject } from '../../api/types.ts';
import { listQuery } from './lists.ts';
import type { MessageList } from './message-list.ts';
import { changeEvery, findMessage, replaceMessage } from './messages.ts';
import { SUBJECTS } from './reading.ts';
import { withSubject } from './renamed.ts';

/** All open ones fit on a page, and the closed ones that were begun last. */
const MOST = 200;

/** The open subjects of a team by their last message, then closed ones. */
export const subjectsQuery = (team: string) =>
  queryOptions({
    queryKey: [...SUBJECTS, team],
    queryFn: async ({ signal }) =>
      (await call<Subject>(`/v1/teams/${team}/subjects`, { query: { limit: MOST }, signal })).data,
  });

export const refreshSubjects = (team: string) =>
  void queryClient.invalidateQueries({ queryKey: subjectsQuery(team).queryKey });

/** The name of a subject as it is now, as far as that is known here. */
export const nameOfSubject = (team: string, id: string): string | undefined =>
  queryClient.getQueryData(subjectsQuery(team).queryKey)?.find((one) => one.id === id)?.name;

export async function changeSubject(
  team: string,
  id: string,
  change: { name?: string; closed?: boolean },
): Promise<void> {
  const subject = await callOne<Subject>(`/v1/teams/${team}/subjects/${id}`, {
    method: 'PATCH',
    body: change,
  });
  noteName(id, subject.name);
  refreshSubjects(team);
}

/** Moves a conversation to the subject of a name. @param name empty for none */
export async function moveConversation(message: Message, name: string): Promise<void> {
  const body = { subject: name.trim() === '' ? null : name };
  const moved = await callOne<Message>(`/v1/messages/${message.id}`, { method: 'PATCH', body });
  replaceMessage(moved);
  noteMoved(moved, message.subject_id);
}

/** A subject was begun, renamed, closed or opened. */
export function onSubject({ team, subject, name }: { team: string; subject: string; name: string }): void {
  noteName(subject, name);
  refreshSubjects(team);
}

function noteName(id: string, subject: string): void {
  changeEvery(
    (message) => message.subject_id === id,
    (message) => ({ ...message, subject }),
  );
  changeAnswers((answer) => withSubject(answer, id, subject));
}

/** A message as an event tells of it. */
type Moved = Pick<Message, 'id'> & Partial<Pick<Message, 'addressed_teams' | 'subject_id' | 'reply_to'>>;

/** The lists of both subjects are others now. @param from the one before */
export function noteMoved(
  { id, addressed_teams = [], subject_id: to, reply_to }: Moved,
  from: string | undefined,
) {
  const [team] = addressed_teams;
  if (team === undefined || reply_to !== undefined || from === to) return;
  for (const subject of [from, to]) {
    if (subject === undefined) continue;
    const { queryKey } = listQuery({ team, subject });
    const has = queryClient.getQueryData<MessageList>(queryKey)?.ids.includes(id);
    if (has === (subject === from)) void queryClient.invalidateQueries({ queryKey });
  }
  refreshSubjects(team);
}

/** The subject of a message before an event about it. */
export const subjectBefore = (id: string) => findMessage(id)?.subject_id;
