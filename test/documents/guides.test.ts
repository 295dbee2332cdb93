import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { root } from '../support/process.ts';
import { scene } from '../support/scene.ts';
import { npmCommand, npmsNode } from '../support/sdk.ts';

const { server } = scene();

const HOME = '/docs/guides';
const get = (path: string) => fetch(server.url + path, { headers: { Accept: 'text/html' } });

/** Every page that is reached from the first, by its path. */
async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = [HOME];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const answer = await get(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    pages.set(path, await answer.text());
    waiting.push(
      ...linksOf(pages.get(path) ?? '').flatMap(({ page }) => (page.startsWith(HOME) ? [page] : [])),
    );
  }
  return pages;
}

/** The links of a page, but for its own headings and other servers. */
function linksOf(html: string): { page: string; anchor: string | undefined }[] {
  return [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => {
    const [page = '', anchor] = href.split('#');
    return { page, anchor };
  });
}

it('offers the guides as pages, whose every link leads somewhere (claim: guides)', async () => {
  const pages = await crawl();
  const folders = {
    developers: [
      ...['bot', 'sign-in', 'messages', 'hearing', 'posting', 'clicks', 'node', 'incoming', 'python'],
      'lifecycle',
    ],
    operations: [
      'run',
      'deploy',
      'watch',
      'mail',
      'administration',
      'backup',
      'postgres',
      'costs',
      'upgrade',
    ],
  };
  const names = [
    ...['members', 'developers', 'events', 'errors', 'sdk', 'tour', 'operations', 'security', 'standards'],
    ...Object.entries(folders).flatMap(([folder, tasks]) => tasks.map((task) => `${folder}-${task}`)),
  ];
  expect([...pages.keys()].sort()).toEqual([HOME, ...names.map((name) => `${HOME}/${name}`)].sort());
  const dead: string[] = [];
  for (const [path, html] of pages) {
    expect(html).not.toMatch(/<tr>\s*<th><\/th>\s*<th><\/th>\s*<\/tr>/);
    // Neither programs nor styles, which the policy would refuse, nor marks of the sources.
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<!--/);
    const own = [...html.matchAll(/href="#([^"]*)"/g)].map(([, anchor]) => ({ page: path, anchor }));
    for (const { page, anchor } of [...linksOf(html), ...own]) {
      const there = pages.get(page);
      const holds = anchor === undefined || there?.includes(`id="${anchor}"`);
      if (!holds || (there === undefined && (await get(page)).status !== 200))
        dead.push(`${path}: ${page}#${anchor}`);
    }
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]*)"/g))
      expect(href).toMatch(/^(\/|#|https:)/);
  }
  expect(dead).toEqual([]);
  const style = await get(`${HOME}/style.css`);
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
});

it('is asked once for a page that has not changed', async () => {
  const { headers } = await get(HOME);
  const again = await fetch(server.url + HOME, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

it('keeps the reference where it was', async () => {
  expect(await (await get('/docs')).text()).toContain('swagger-ui');
  expect((await get('/docs/nothing')).status).toBe(404);
});

it('hands out the SDK, which npm installs by its address, and the client for Python', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  // The server is in this process, which must not wait.
  const [npm, args] = npmCommand(['install', `${server.url}/docs/parley-sdk.tgz`]);
  await promisify(execFile)(npm, args, { cwd: folder });
  const program = "console.log(typeof require('parley-sdk').ParleyApplication)";
  expect(execFileSync(npmsNode, ['-e', program], { cwd: folder, encoding: 'utf8' })).toBe('function\n');
  rmSync(folder, { recursive: true });
  const python = await get('/docs/parley.py');
  expect(await python.text()).toBe(readFileSync(join(root, 'sdk/python/parley.py'), 'utf8'));
});
