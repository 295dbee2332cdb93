import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';
import { startTestServer } from '../../test/support/server.ts';
import { webFolder } from '../app/start.ts';

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const { server } = scene();

describe('the page of the web application', () => {
  it.each(['/', '/inbox', '/teams/0195?open=1', '/invitations/abc', '/anything/else/'])(
    'is at %s',
    async (path) => {
      const answer = await fetch(server.url + path, { headers: HTML });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toBe(readFileSync(join(webFolder, 'index.html'), 'utf8'));
    },
  );

  it.each(['/v1/inbox', '/docs/nothing', '/assets/nothing.js', '/.well-known/nothing'])(
    'is not at %s',
    async (path) => {
      const answer = await fetch(server.url + path, { headers: HTML });
      expect(answer.status).toBe(404);
      expect((await answer.text()).includes('id="root"')).toBe(false);
    },
  );

  it('is not for programs, which get the error of every unknown address', async () => {
    const answer = await fetch(`${server.url}/inbox`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ errors: [{ code: 4040 }] });
    expect((await fetch(`${server.url}/inbox`, { method: 'POST', headers: HTML })).status).toBe(404);
    const root = await fetch(`${server.url}/`);
    expect([root.status, await root.text()]).toEqual([200, expect.stringContaining('/openapi.json')]);
  });

  it('allows no script, style or frame that is not its own, and no other site to frame it', async () => {
    const { headers } = await fetch(`${server.url}/`, { headers: HTML });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('is asked for each time, and sent again only when it has changed', async () => {
    const first = await fetch(`${server.url}/`, { headers: HTML });
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${server.url}/inbox`, { headers: { ...HTML, 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    // As a proxy that compresses makes of it, and a cache that has several.
    const ofProxy = { ...HTML, 'If-None-Match': `"older", W/${etag}` };
    expect((await fetch(`${server.url}/inbox`, { headers: ofProxy })).status).toBe(304);
    const other = await fetch(`${server.url}/inbox`, { headers: { ...HTML, 'If-None-Match': '"older"' } });
    expect(other.status).toBe(200);
  });

  it('has a worker, which is asked for each time and loads nothing, and a manifest with its icons', async () => {
    const worker = await fetch(`${server.url}/worker.js`);
    expect(worker.headers.get('content-type')).toContain('javascript');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await worker.text()).not.toMatch(/__BUILD__|\bimport\b/);
    const answer = await fetch(`${server.url}/manifest.webmanifest`);
    expect(answer.headers.get('content-type')).toContain('application/manifest+json');
    const { icons, display } = (await answer.json()) as {
      icons: { src: string; purpose?: string }[];
      display: string;
    };
    expect([display, icons.map(({ purpose }) => purpose)]).toEqual([
      'standalone',
      [undefined, undefined, 'maskable'],
    ]);
    for (const { src } of icons) {
      const icon = await fetch(server.url + src);
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, 'image/png']);
    }
  });

  describe('names in its head what its first view needs', () => {
    const linksOf = async (path: string, headers = {}) => {
      const { headers: answered } = await fetch(server.url + path, { headers: { ...HTML, ...headers } });
      return answered.get('link') ?? '';
    };
    const team = '0195c3a0-0000-7000-8000-000000000000';

    it('for nobody the files of the page, and the texts in a language of the browser', async () => {
      const link = await linksOf('/inbox', { 'Accept-Language': 'fr, de-AT;q=0.9, en;q=0.8' });
      expect(link).toMatch(/<\/assets\/start-[\w-]+\.js>; rel=modulepreload/);
      expect(link).toMatch(/<\/assets\/de-[\w-]+\.js>/);
      expect(link).not.toMatch(/members|\/v1\//);
      expect(await linksOf('/inbox', { Cookie: 'parley_session=forged' })).not.toMatch(/members|\/v1\//);
    });

    it('and comes with the files for nobody while the database does not answer', async () => {
      const { client } = await signUp(server, 'Ada');
      const over = Promise.withResolvers<never>();
      const reads = vi.spyOn(server.running.db, 'all').mockReturnValue(over.promise);
      const answer = await fetch(`${server.url}/inbox`, { headers: { ...HTML, Cookie: client.cookie } });
      over.reject(new Error('The database has not answered'));
      reads.mockRestore();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('link')).toMatch(/<\/assets\/start-[\w-]+\.js>; rel=modulepreload/);
      expect(answer.headers.get('link')).not.toMatch(/members|\/v1\//);
    });

    it('with a session what members read, too', async () => {
      const { client } = await signUp(server, 'Ada');
      const own = { Cookie: client.cookie };
      const inbox = await linksOf('/inbox', own);
      expect(inbox).toMatch(/<\/assets\/members-[\w-]+\.js>; rel=modulepreload/);
      expect(inbox).toContain('</v1/users/me/inbox?filter=new&limit=50>; rel=preload; as=fetch; crossorigin');
      expect(inbox).not.toContain('/v1/messages');
      expect(await linksOf(`/teams/${team}`, own)).toContain(`</v1/messages?team=${team}&limit=60>`);
      // A query asks for something else, and a view outside the application for none of it.
      expect(await linksOf('/invitations/abc', own)).not.toContain('/v1/');
      expect(await linksOf(`/teams/${team}?at=1`, own)).not.toContain('/v1/messages');
      expect(await linksOf('/teams/%3E;rel=x', own)).not.toContain('rel=x');
      // A session that has ended: its answers would be refusals, kept for who signs in next.
      await client.delete('/v1/sessions/current');
      expect(await linksOf('/inbox', own)).not.toMatch(/members|\/v1\//);
    });
  });

  it('names files that never change: compressed, and kept by browsers for a year', async () => {
    const page = await (await fetch(`${server.url}/`, { headers: HTML })).text();
    const script = /src="(\/assets\/start-[^"]+\.js)"/.exec(page)?.[1] ?? '';
    for (const encoding of ['br', 'gzip']) {
      const answer = await fetch(server.url + script, { headers: { 'Accept-Encoding': encoding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toContain('javascript');
      await answer.text();
    }
  });
});

it('says how to build it where it is not built', async () => {
  const bare = await startTestServer({}, { webFolder: '/nowhere' });
  const answer = await fetch(`${bare.url}/`, { headers: HTML });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('npm run build');
  await bare.stop();
});
