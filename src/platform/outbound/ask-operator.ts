import { request } from 'undici';

const MOST_CHARACTERS = 10_000;

/**
 * Asks an address that comes from the operator's settings alone. It may be private, so the policy for addresses of
 * others does not apply. Follows no redirect. @throws what undici throws
 */
export async function askOperatorsAddress(
  url: string,
  timeoutMs: number,
): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MOST_CHARACTERS) break;
  }
  return { status: statusCode, text };
}
