import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const MAX_SKEW_MS = 15 * 60_000;

export interface S3Keys {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The signed parts of a request, as received. */
export interface Signed {
  readonly method: string;
  /** The path and the query, as they stand in the request line. */
  readonly url: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** The signature that a request should carry (Signature Version 4), by its own list of signed headers. */
export function expectedSignature(request: Signed, keys: S3Keys, signedHeaders: string[]): string {
  const [path = '', query = ''] = request.url.split('?');
  const header = (name: string) => String(request.headers[name] ?? '').trim();
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...signedHeaders.map((name) => `${name}:${header(name)}`),
    '',
    signedHeaders.join(';'),
    header('x-amz-content-sha256'),
  ].join('\n');
  const time = header('x-amz-date');
  const scope = `${time.slice(0, 8)}/${keys.region}/s3/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${keys.secretKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
}

/** Objects over HTTP as S3 serves them, for the tests: it believes no signature that it has not worked out itself. */
export class TestS3 {
  readonly keys: S3Keys = { region: 'eu-test-1', accessKey: 'ACCESS', secretKey: 'a secret/key+of the test' };
  readonly bucket = 'uploads';
  readonly objects = new Map<string, Buffer>();
  /** The statuses of the next answers, in place of the right ones. */
  readonly faults: number[] = [];
  /** When set, the content of objects with such names ends in its middle. */
  breaksOff: RegExp | undefined;
  /** When set, it answers requests in place of the store, once the body is here. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** When set, `Range` is not understood. */
  ignoresRanges = false;
  /** Every request, with its answer's status: `PUT 200`. */
  readonly log: string[] = [];
  #server: Server | undefined;
  endpoint = '';

  async start(): Promise<this> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (this.instead) this.instead(request, response);
      else this.#answer(request, Buffer.concat(chunks), response);
      this.log.push(`${request.method} ${response.statusCode}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#server = server;
    return this;
  }

  /** The settings of a server that stores here. */
  get environment(): NodeJS.ProcessEnv {
    return {
      S3_ENDPOINT: this.endpoint,
      S3_BUCKET: this.bucket,
      S3_REGION: this.keys.region,
      S3_ACCESS_KEY: this.keys.accessKey,
      S3_SECRET_KEY: this.keys.secretKey,
    };
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '', this.endpoint);
    const [, bucket, ...rest] = pathname.split('/');
    const name = rest.join('/');
    const fault = this.faults.shift();
    const problem = this.#problemOf(request, body);
    if (fault !== undefined) refuse(response, fault, 'InternalError');
    else if (problem) refuse(response, 403, problem);
    else if (bucket !== this.bucket) refuse(response, 404, 'NoSuchBucket');
    else if (request.method === 'GET' && name === '') this.#list(response, searchParams);
    else if (request.method === 'GET') this.#get(request, response, name);
    else if (request.method === 'PUT') {
      this.objects.set(name, body);
      response.end();
    } else {
      this.objects.delete(name);
      response.writeHead(204).end();
    }
  }

  /** In pages of a few, so that they are all asked for. */
  #list(response: ServerResponse, asked: URLSearchParams): void {
    const after = asked.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .sort()
      .filter((key) => key.startsWith(asked.get('prefix') ?? '') && key > after);
    const page = keys.slice(0, 3).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const next = keys.length > 3 ? `<NextContinuationToken>${keys[2]}</NextContinuationToken>` : '';
    response.end(`<?xml version="1.0"?><ListBucketResult>${page.join('')}${next}</ListBucketResult>`);
  }

  #get(request: IncomingMessage, response: ServerResponse, name: string): void {
    const object = this.objects.get(name);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (!object) refuse(response, 404, 'NoSuchKey');
    else if (this.breaksOff?.test(name)) {
      response.writeHead(200, { 'Content-Length': object.length });
      response.write(object.subarray(0, object.length / 2), () => response.destroy());
    } else if (first === undefined || this.ignoresRanges) response.end(object);
    else response.writeHead(206).end(object.subarray(Number(first), Number(last) + 1));
  }

  #problemOf(request: IncomingMessage, body: Buffer): string | undefined {
    const { method = '', url = '', headers } = request;
    const given =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
    const [, accessKey, region, names = '', signature] = given.exec(headers.authorization ?? '') ?? [];
    const signed = names.split(';');
    const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
    if (accessKey !== this.keys.accessKey) return 'InvalidAccessKeyId';
    if (region !== this.keys.region) return 'AuthorizationHeaderMalformed';
    if (!needed.every((name) => signed.includes(name))) return 'AccessDenied';
    if (signature !== expectedSignature({ method, url, headers }, this.keys, signed))
      return 'SignatureDoesNotMatch';
    if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
    if (Math.abs(Date.now() - readTime(String(headers['x-amz-date']))) > MAX_SKEW_MS)
      return 'RequestTimeTooSkewed';
    if (method === 'PUT' && headers['content-length'] !== String(body.length)) return 'MissingContentLength';
    return undefined;
  }
}

function readTime(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
