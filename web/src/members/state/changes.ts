import { call, callOne } from '../../api/client.ts';
import type { Message, MessageEvent } from '../../api/types.ts';
import { changeMessage, replaceMessage } from './messages.ts';

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
