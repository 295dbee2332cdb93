import { call, callOne } from '../../api/client.ts';
import type { Message, MessageEvent } from '../../api/types.ts';
import type { Attached } from './drafts.ts';
import { changeMessage, replaceMessage } from './messages.ts';
import { lostFileOf, uploadAgain } from './upload.ts';

/**
 * Saves an edit.
 * @param files those that the message then has; undefined where they stay
 */
export async function edit(message: Message, text: string, files?: readonly Attached[]): Promise<void> {
  const body = {
    ...((text !== message.text || !files) && { text }),
    ...(files && { attachments: { files: files.map(({ id }) => id) } }),
  };
  try {
    replaceMessage(await callOne<Message>(`/v1/messages/${message.id}`, { method: 'PATCH', body }));
  } catch (error) {
    const lost = lostFileOf(files ?? [], error);
    const fresh = lost && (await uploadAgain(lost));
    if (!fresh) throw error;
    // Each file at most once: what is fresh has no bytes here.
    return edit(
      message,
      text,
      (files ?? []).map((one) => (one === lost ? fresh : one)),
    );
  }
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
