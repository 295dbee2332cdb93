import { call, callOne } from '../../api/client.ts';
import type { Message, MessageEvent } from '../../api/types.ts';
import { renewHighFives } from './message-queries.ts';
import { changeMessage, replaceMessage } from './messages.ts';

/** Gives or withdraws a high five. It is shown at once, and undone when the server refuses. */
export async function highFive(message: Message): Promise<void> {
  const give = !message.user_high_fived;
  const count = (given: boolean) => (now: Message) => ({
    ...now,
    user_high_fived: given,
    num_high_fives: Math.max(0, now.num_high_fives + Number(given) - Number(now.user_high_fived)),
  });
  changeMessage(message.id, count(give));
  try {
    const path = `/v1/messages/${message.id}/high_five`;
    replaceMessage(
      await callOne<Message>(path, { method: give ? 'PUT' : 'DELETE', ...(give && { body: {} }) }),
    );
  } catch (error) {
    changeMessage(message.id, count(!give));
    throw error;
  } finally {
    void renewHighFives(message.id);
  }
}

export async function edit(message: Message, text: string): Promise<void> {
  replaceMessage(await callOne<Message>(`/v1/messages/${message.id}`, { method: 'PATCH', body: { text } }));
}

/** Removes a preview of a link for good. */
export async function removeUnfurl(message: Message, unfurl: string): Promise<void> {
  replaceMessage(
    await callOne<Message>(`/v1/messages/${message.id}/unfurls/${unfurl}`, { method: 'DELETE' }),
  );
}

export async function remove(message: Message, userId: string): Promise<void> {
  await call(`/v1/messages/${message.id}`, { method: 'DELETE' });
  const deleted: MessageEvent = { type: 'deleted', user: userId, created_at: Date.now() / 1000 };
  changeMessage(message.id, (now) => ({
    ...now,
    text: '',
    attachments: [],
    mentions: [],
    events: [deleted],
  }));
}
