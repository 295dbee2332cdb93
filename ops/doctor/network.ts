import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { newFileName, Spool } from '#platform/files/index.ts';
import { askOperatorsAddress } from '#platform/outbound/ask-operator.ts';
import { baseUrlOf } from '../../src/process/base-url.ts';
import type { Config } from '../../src/process/config.ts';
import { ConfigError } from '../../src/process/config-error.ts';
import { filesFolder, openFileStore, refuseUnusable } from '../../src/process/files.ts';
import { cookieKeyOf } from '../../src/process/keys.ts';
import { mailTransportOf } from '../../src/process/mail.ts';
import { type Finding, failed, ok, warning } from './finding.ts';
import type { Rules } from './rules.ts';

/** Connects and signs in to the mail server, and sends nothing. */
export async function checkMail(config: Config): Promise<Finding[]> {
  const { SMTP_URL } = config;
  const transport = await mailTransportOf(config);
  if (!SMTP_URL || !transport)
    return [ok('mail', 'There is no SMTP_URL: mails are kept for administrators to read.')];
  const reason = await transport.check();
  transport.close();
  const server = `${SMTP_URL.host}:${SMTP_URL.port}`;
  if (reason === undefined)
    return [ok('mail', `${server} lets this server in. "parley mail test" sends a mail.`)];
  return [failed('mail', `${server} cannot be used: ${reason}`)];
}

/** Puts an object of its own into the bucket, reads it and deletes it. */
export async function checkUploads(config: Config): Promise<Finding[]> {
  const { S3_BUCKET } = config;
  if (S3_BUCKET === undefined) return [checkUploadsFolder(filesFolder(config))];
  const folder = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
  const store = await openFileStore(config);
  const name = newFileName();
  const content = randomBytes(32);
  try {
    await store.put(name, await new Spool(folder).receive(Readable.from([content])));
    const kept = await store.get(name).then((stream) => stream && buffer(stream));
    await store.delete(name);
    if (kept?.equals(content))
      return [ok('uploads', `The bucket ${S3_BUCKET} takes, gives and deletes an object.`)];
    return [
      failed('uploads', `The bucket ${S3_BUCKET} did not give back what was put there. Check the store.`),
    ];
  } catch (error) {
    await store.delete(name).catch(() => undefined);
    const { message } = error as Error;
    return [
      failed(
        'uploads',
        `The bucket ${S3_BUCKET} cannot be used: ${message}. Check the S3 settings and the rights of the key.`,
      ),
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a start does. */
function checkUploadsFolder(folder: string): Finding {
  try {
    refuseUnusable(folder);
    return ok('uploads', `They are in ${folder}.`);
  } catch (error) {
    if (error instanceof ConfigError) return failed('uploads', error.message);
    throw error;
  }
}

const PATIENCE_MS = 10_000;

/** Whether BASE_URL leads to a server with these keys, and whether TRUST_PROXY fits what stands in between. */
export async function checkAddress(config: Config, { proofOf }: Rules): Promise<Finding[]> {
  const url = baseUrlOf(config);
  const key = readCookieKey(config);
  const challenge = randomBytes(16).toString('hex');
  let answer: { status: number; text: string };
  try {
    answer = await askOperatorsAddress(`${url}/healthz?challenge=${challenge}`, PATIENCE_MS);
  } catch (error) {
    const { name, message, code = message } = error as NodeJS.ErrnoException;
    // The code of a time-out is a number of the DOM.
    const reason = name === 'TimeoutError' ? `timed out after ${PATIENCE_MS / 1000} seconds` : code;
    return [
      warning(
        'address',
        `${url} does not answer from here (${reason}). Start the server, or check BASE_URL and the proxy.`,
      ),
    ];
  }
  const { status, proof, forwarded } = readJson(answer.text);
  if (answer.status !== 200 || status !== 'alive')
    return [
      failed(
        'address',
        `${url} leads elsewhere: /healthz answered ${answer.status}. Check BASE_URL and the proxy.`,
      ),
    ];
  if (key === undefined || proof !== proofOf(key, challenge))
    return [
      warning(
        'address',
        `At ${url} is a Parley with another COOKIE_KEY, or another version. Check BASE_URL and DATA_DIR.`,
      ),
    ];
  return [
    (await checkName(url)) ?? ok('address', `${url} leads to this server.`),
    checkProxy(config, forwarded === true),
  ];
}

/** `/healthz` answers under every name; other routes do not. */
async function checkName(url: string): Promise<Finding | undefined> {
  const status = await askOperatorsAddress(`${url}/v1/server`, PATIENCE_MS).then(
    (answer) => answer.status,
    () => undefined,
  );
  if (status !== 421) return undefined;
  return failed(
    'address',
    `${url} leads to this server under another name: let the proxy pass the header Host on, or correct BASE_URL.`,
  );
}

function checkProxy({ TRUST_PROXY }: Config, forwarded: boolean): Finding {
  if (forwarded && TRUST_PROXY === 'no')
    return warning(
      'proxy',
      'A proxy stands in front, but TRUST_PROXY is not set: all callers count as one address. Set it.',
    );
  if (!forwarded && TRUST_PROXY !== 'no')
    return warning(
      'proxy',
      'TRUST_PROXY is set, but a request arrived without X-Forwarded-For. Let the proxy append it, or set TRUST_PROXY=no.',
    );
  return ok(
    'proxy',
    forwarded ? 'It appends X-Forwarded-For, and is trusted.' : 'None stands in front, and none is trusted.',
  );
}

/** One that cannot be read is a finding of its own. */
function readCookieKey(config: Config): Buffer | undefined {
  try {
    return cookieKeyOf(config);
  } catch {
    return undefined;
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
