import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const RESPONSE = 0x8180;
const NO_SUCH_NAME = 3;
const KINDS: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** The addresses of a name. `ttl` in seconds. */
interface Known {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly ttl?: number;
}

interface Asked {
  readonly name: string;
  readonly kind: 'A' | 'AAAA';
}

/** A name server (RFC 1035) that answers, answers late, or never does. A name that it does not know does not exist. */
export class NameServer {
  readonly asked: Asked[] = [];
  readonly #names = new Map<string, Known>();
  /** Queries that wait, with what answers them. */
  readonly #held = new Map<string, (() => void)[]>();
  #socket: Socket | undefined;

  async start(): Promise<this> {
    this.#socket = createSocket('udp4', (query, from) => this.#take(query, from)).bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    return this;
  }

  /** For `DNS_SERVERS`. */
  get address(): string {
    return `127.0.0.1:${this.#socket?.address().port}`;
  }

  know(name: string, known: Known): void {
    this.#names.set(name, known);
  }

  /** Answers no query for a name, or for a name below it. @returns what answers those that came, and the later ones */
  hold(name: string): () => void {
    const waiting: (() => void)[] = [];
    this.#held.set(name, waiting);
    return () => {
      this.#held.delete(name);
      for (const answer of waiting) answer();
    };
  }

  /** How often a name was asked for: for both kinds of addresses at once. */
  timesAsked(name: string): number {
    return this.asked.filter((one) => one.name === name && one.kind === 'A').length;
  }

  async stop(): Promise<void> {
    this.#socket?.close();
  }

  #take(query: Buffer, from: RemoteInfo): void {
    const { name, kind, end } = readQuestion(query);
    if (!kind) return;
    this.asked.push({ name, kind });
    const answer = () =>
      this.#socket?.send(this.#answerTo(query.subarray(0, end), name, kind), from.port, from.address);
    const held = [...this.#held].find(([one]) => name === one || name.endsWith(`.${one}`));
    if (held) held[1].push(answer);
    else answer();
  }

  #answerTo(question: Buffer, name: string, kind: 'A' | 'AAAA'): Buffer {
    const known = this.#names.get(name);
    const records = (known?.[kind] ?? []).map((address) => record(address, kind, known?.ttl ?? 60));
    const head = Buffer.from(question);
    head.writeUInt16BE(RESPONSE | (known ? 0 : NO_SUCH_NAME), 2);
    head.writeUInt16BE(records.length, 6);
    // Without the options that the query may have.
    head.writeUInt16BE(0, 10);
    return Buffer.concat([head, ...records]);
  }
}

/** RFC 1035 §4.1.2. */
function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // A resolver may vary the case, to know its answers by it.
  return { name: labels.join('.').toLowerCase(), kind: KINDS[query.readUInt16BE(at + 1)], end: at + 5 };
}

/** RFC 1035 §4.1.3, with a pointer to the name in the question. */
function record(address: string, kind: 'A' | 'AAAA', ttl: number): Buffer {
  const data =
    kind === 'A'
      ? Buffer.from(address.split('.').map(Number))
      : Buffer.from(groupsOf(address).join(''), 'hex');
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(kind === 'A' ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [left = '', right = ''] = address.split('::');
  const [first, last] = [left, right].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => group.padStart(4, '0'));
}
