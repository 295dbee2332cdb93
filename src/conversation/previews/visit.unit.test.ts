import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound, type Lookup } from '#platform/outbound/index.ts';
import { answering, dripping, flooding, type Listener, listen } from '#platform/outbound/test-listener.ts';
import { MOST_REDIRECTS, PICTURE_BYTES, visitor } from './visit.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const HTML = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n';
const HEAD = '<title>Title</title>';
const PAGE = `${HTML}${HEAD}<body>`;
const noInternet: Lookup = async (hostname) => {
  throw new Error(`a test asked for ${hostname}`);
};

function visits(lookup = noInternet) {
  const outbound = createOutbound({ allowLoopback: true, timeoutMs: 5000, userAgent: 'Test/1', lookup });
  closers.push(() => outbound.close());
  return visitor({ outbound, allowsHttp: true });
}

/** Answers each request by its path, and ends the connection. */
async function site(
  answerTo: (path: string) => string | Uint8Array,
): Promise<Listener & { asked: string[] }> {
  const asked: string[] = [];
  const listener = await listen((socket) => {
    socket.once('data', (request) => {
      asked.push(String(request));
      socket.end(answerTo(/ (\S*)/.exec(String(request))?.[1] ?? ''));
    });
  }, '127.0.0.1');
  closers.push(() => listener.close());
  return { ...listener, asked };
}

const at = ({ port }: Listener, path = '/') => `http://127.0.0.1:${port}${path}`;
const redirect = (to: string, status = 302) => `HTTP/1.1 ${status} Found\r\nLocation: ${to}\r\n\r\n`;

async function hostile(onConnection: Parameters<typeof listen>[0]): Promise<Listener> {
  const listener = await listen(onConnection, '127.0.0.1');
  closers.push(() => listener.close());
  return listener;
}

describe('a visit of a page', () => {
  it('says who asks, and nothing of who linked to it (claim: visits-anonymous)', async () => {
    const page = await site((path) =>
      path === '/' ? redirect('/b?c=d') : `HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n${PAGE.slice(17)}`,
    );
    expect(await visits().page(at(page, '/#part'), 'ada')).toMatchObject({
      title: 'Title',
      address: { pathname: '/b' },
    });
    expect(page.asked).toHaveLength(2);
    for (const request of page.asked) {
      const names = request
        .split('\r\n')
        .slice(1, -2)
        .map((line) => line.split(':', 1)[0]?.toLowerCase());
      expect(names.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
      expect(request).toContain('Test/1');
    }
  });

  it.each([301, 302, 303, 307, 308])('follows a %d, and no more than three', async (status) => {
    const page = await site((path) =>
      path === '/4' ? PAGE : redirect(`/${Number(path.slice(1)) + 1}`, status),
    );
    expect(await visits().page(at(page, '/1'), 'ada')).toMatchObject({ title: 'Title' });
    expect(await visits().page(at(page, '/0'), 'ada')).toBe('nothing');
    expect(page.asked).toHaveLength(2 * (MOST_REDIRECTS + 1));
  });

  it.each([
    ['an inner address', 'https://10.0.0.1/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['this machine in another spelling', 'https://0x7f.1/'],
    ['IPv6 that carries IPv4', 'https://[::ffff:10.0.0.1]/'],
    ['plain HTTP elsewhere', 'http://example.org/'],
    ['a name that leads inside', 'https://inner.example/'],
    ['a name that leads outside and inside', 'https://rebinding.example/'],
    ['another scheme', 'file:///etc/passwd'],
    ['no address', 'https://'],
    ['a user name', 'https://ada@example.org/'],
    ['a secret', '/?token=1'],
    ['a page to sign in', '/users/sign_in'],
    ['another host to sign in', 'https://login.example.org/'],
  ])('does not follow a redirect to %s (claim: redirects-checked)', async (_, to) => {
    const page = await site((path) => (path === '/' ? redirect(to) : PAGE));
    const inner = async (name: string) =>
      name === 'inner.example'
        ? [{ address: '10.0.0.1' }]
        : [{ address: '93.184.216.34' }, { address: '10.0.0.1' }];
    expect(await visits(inner).page(at(page), 'ada')).toBe('nothing');
    expect(page.asked).toHaveLength(1);
  });

  it.each([
    ['401', 'HTTP/1.1 401 Unauthorized\r\nContent-Type: text/html\r\n\r\n'],
    ['403', 'HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n'],
    ['404', 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n'],
    ['500', 'HTTP/1.1 500 Oh\r\nContent-Type: text/html\r\n\r\n'],
    ['a refresh', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
    ['another type', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n'],
    ['no type', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['a redirect without an address', 'HTTP/1.1 302 Found\r\n\r\n'],
    ['what is no HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ])('shows nothing for %s', async (_, head) => {
    const page = await site(() => head + HEAD);
    expect(await visits().page(at(page), 'ada')).toBe('nothing');
  });

  it('does not read what is packed, be it a bomb or not', async () => {
    const packed = gzipSync(HEAD.repeat(100_000));
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n`;
    const page = await site(() => Buffer.concat([Buffer.from(head), packed]));
    expect(await visits().page(at(page), 'ada')).toBe('nothing');
  });

  it('takes of an endless page what it needs, and ends the connection', async () => {
    const page = await hostile(flooding(`${HTML}${HEAD}`));
    expect(await visits().page(at(page), 'ada')).toMatchObject({ title: 'Title' });
    const stream = await hostile(flooding('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n'));
    expect(await visits().page(at(stream), 'ada')).toBe('nothing');
    await expect.poll(() => stream.sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it.each([
    ['that never answers', () => undefined],
    ['that never ends its headers', dripping('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n')],
    ['that never ends its body', dripping(`${HTML}${HEAD}`, ' ')],
  ])('ends on a page %s', async (_, onConnection) => {
    const page = await hostile(onConnection as Parameters<typeof listen>[0]);
    const outbound = createOutbound({ allowLoopback: true, userAgent: 'Test/1', lookup: noInternet });
    closers.push(() => outbound.close());
    // The limit of a visit, short enough for a test.
    const hurried = {
      ...outbound,
      get: (url: string, most: number, owner: string, how = {}) =>
        outbound.get(url, most, owner, { ...how, timeoutMs: 200 }),
    };
    expect(await visitor({ outbound: hurried, allowsHttp: true }).page(at(page), 'ada')).toBe('nothing');
  });
});

describe('a visit of a picture', () => {
  const ask = (listener: Listener, picture: string) =>
    visits().picture(picture, 'ada', new URL(at(listener, '/a/b')));
  const PNG = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n';

  it('is of the address that the page names, also a relative one', async () => {
    const pictures = await site((path) =>
      path === '/a/c.png?sig=1' ? `${PNG}bytes` : redirect('/a/c.png?sig=1'),
    );
    const seen = await ask(pictures, 'c.png?sig=1');
    expect(String(seen)).toBe('bytes');
    expect(await ask(pictures, '/moved')).toBeInstanceOf(Uint8Array);
  });

  it.each(['https://10.0.0.1/a.png', 'http://example.org/a.png', 'data:image/png;base64,AA', 'https://'])(
    'is not of %s',
    async (picture) => {
      const pictures = await site(() => PNG);
      expect(await ask(pictures, picture)).toBe('nothing');
      expect(pictures.asked).toEqual([]);
    },
  );

  it('is not of too many bytes, and not of what is no picture', async () => {
    const large = await site(() => PNG + 'x'.repeat(PICTURE_BYTES + 1));
    expect(await ask(large, '/')).toBe('nothing');
    const page = await hostile(answering(PAGE));
    expect(await ask(page, '/')).toBe('nothing');
  });
});
