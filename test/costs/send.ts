import type { Asked } from './inputs.ts';
import { callerOf, type Row } from './rows.ts';
import type { Stage } from './stage.ts';

export interface Sent {
  readonly status: number;
  readonly text: string;
}

/** Sends a request as cheaply as can be: the test is in the server's process, and its time counts as well. */
export async function send(
  row: Row,
  { server, clients }: Stage,
  { path, type, body, headers }: Asked,
): Promise<Sent> {
  const abort = new AbortController();
  const response = await fetch(server.url + path, {
    method: row.method,
    redirect: 'manual',
    signal: abort.signal,
    headers: {
      Origin: server.url,
      Accept: 'text/html, */*',
      ...clients[callerOf(row)].credentials(),
      ...(type !== undefined && { 'Content-Type': type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  if (row.streams && response.status === 200) {
    await response.body?.getReader().read();
    abort.abort();
    return { status: 200, text: '' };
  }
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString('latin1') };
}

/** What is wrong with an answer to an ordinary request. */
export function problemOf({ name, code }: Row, { status, text }: Sent): string | undefined {
  const found = status < 400 ? undefined : Number(/"code":(\d+)/.exec(text)?.[1] ?? status);
  return found === code ? undefined : `${name}: ${status} ${text.slice(0, 300)}`;
}
