import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from './client.ts';
import { until } from './until.ts';

/** The private keys of a receiver. */
interface Receiver {
  readonly privateKey: Buffer;
  readonly auth: Buffer;
}

/** The keys of a receiver, as a browser makes them for a subscription. */
export function receiverKeys() {
  const pair = createECDH('prime256v1');
  const point = pair.generateKeys();
  const auth = randomBytes(16);
  return {
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex'),
    auth,
    public: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
  };
}

/** RFC 8291 §3 and RFC 8188 §2, by the receiver's side and without the server's code. */
export function decryptPush(message: Buffer, { privateKey, auth }: Receiver): Buffer {
  const [salt, size, length] = [message.subarray(0, 16), message.readUInt32BE(16), message.readUInt8(20)];
  const [sender, record] = [message.subarray(21, 21 + length), message.subarray(21 + length)];
  if (record.length > size) throw new Error('more than one record');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const input = hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32);
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(input), salt, `Content-Encoding: ${label}\0`, bytes));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('no last record');
  return padded.subarray(0, end);
}

/** A message that a device got. */
export interface Pushed {
  readonly device: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into contents of every shape
  readonly content: any;
  /** The bytes of the body. */
  readonly size: number;
}

/**
 * A push service: RFC 8030. It takes messages for its devices, checks who sends them (RFC 8292) and shows what the devices
 * decrypt (RFC 8291). A message without a valid signature, or that does not decrypt, is refused and listed as a fault.
 */
export class PushService {
  readonly pushed: Pushed[] = [];
  readonly faults: string[] = [];
  /** Of all requests, also those that were refused. */
  numRequests = 0;
  /** The most requests that were under way at once. */
  mostAtOnce = 0;
  #underWay = 0;
  /** The answers to the next requests, by device; otherwise 201. */
  readonly answers = new Map<string, { status: number; headers?: Record<string, string> }>();
  /** Devices whose messages are taken, and never answered. */
  readonly silent = new Set<string>();
  /** Runs while a device's message is under way, before the answer. */
  readonly meanwhile = new Map<string, () => Promise<unknown>>();
  /** The longest body that is taken. */
  mostBytes = 4096;
  readonly #devices = new Map<string, Receiver>();
  #server: Server | undefined;
  url = '';

  async start(): Promise<this> {
    this.#server = createServer(async (request, response) => {
      this.numRequests++;
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
      response.once('close', () => this.#underWay--);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const device = (request.url ?? '').replace('/push/', '');
      if (this.silent.has(device)) return;
      const answer = this.answers.get(device) ?? this.#take(device, request.headers, body);
      await this.meanwhile.get(device)?.();
      response.writeHead(answer.status, answer.headers).end();
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  #take(device: string, headers: IncomingHttpHeaders, body: Buffer) {
    const receiver = this.#devices.get(device);
    if (!receiver) return { status: 404 };
    if (body.length > this.mostBytes) return { status: 413 };
    try {
      this.#check(headers);
      const content = JSON.parse(decryptPush(body, receiver).toString());
      this.pushed.push({ device, headers, content, size: body.length });
      return { status: 201, headers: { location: `${this.url}/message/${this.pushed.length}` } };
    } catch (error) {
      this.faults.push(String(error));
      return { status: 400 };
    }
  }

  #check(headers: IncomingHttpHeaders): void {
    const [, token = '', k = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(k, 'base64url');
    const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
    const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
    const text = Buffer.from(`${head}.${claims}`);
    if (!verify('sha256', text, key, Buffer.from(signature, 'base64url'))) throw new Error('wrong signature');
    if (JSON.parse(Buffer.from(claims, 'base64url').toString()).aud !== this.url)
      throw new Error('wrong aud');
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('wrong coding');
    if (!/^\d+$/.test(String(headers.ttl))) throw new Error('no TTL');
    if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error('wrong topic');
  }

  /** A new device, as a browser would describe it to the server. */
  device(name: string) {
    const { public: keys, ...receiver } = receiverKeys();
    this.#devices.set(name, receiver);
    return { endpoint: `${this.url}/push/${name}`, expirationTime: null, keys };
  }

  /** Makes a device and subscribes it. @returns the id of the subscription */
  async subscribe(client: Client, name: string): Promise<string> {
    const answer = await client.post('/v1/users/me/push_subscriptions', this.device(name));
    if (answer.status !== 200) throw new Error(`subscribing failed: ${answer.text}`);
    return answer.data[0].id;
  }

  to(device: string): Pushed[] {
    return this.pushed.filter((one) => one.device === device);
  }

  /** Waits until a device has got so many messages. @returns the last of them */
  async next(device: string, count = 1): Promise<Pushed> {
    await until(() => this.to(device).length >= count);
    return this.to(device)[count - 1] as Pushed;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => {
      if (this.#server) this.#server.close(() => resolve());
      else resolve();
    });
  }
}
