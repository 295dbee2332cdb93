#!/usr/bin/env node
/*
 * Makes what a server hands out to people who do not have the sources: the guides as pages, and the clients to install.
 * `node deploy/guides.cjs FOLDER`. Links to what only the sources have become text.
 */
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { sdkArchive } = require('./sdk.cjs');

const root = path.join(__dirname, '..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

/** The pages, by the file that each is made from, in the order in which they are offered. */
const PAGES = {
  'docs/members.md': { name: 'members', title: 'Members', about: 'For those who talk in teams.' },
  'docs/developers.md': { name: 'developers', title: 'Developers', about: 'An application, step by step.' },
  ...pagesOf('developers', {
    bot: ['Build a bot', 'A whole one, in Node.js and in Python.'],
    'sign-in': ['Sign people in', 'Register, be installed, be opened; scopes.'],
    messages: ['Messages', 'Objects, mentions, files, search, pages and limits.'],
    hearing: ['Hear what happens', 'By pages, by a stream and by a webhook.'],
    posting: ['Post as yourself', 'Messages of the application, cards of links, blocks.'],
    clicks: ['Clicks, commands and forms', 'Also a page of your own, and conversations with people.'],
    node: ['SDK for Node.js', 'Handlers, blocks, messages for later.'],
    incoming: ['Incoming webhooks', 'An address to post to.'],
    python: ['Client for Python', 'The same in one file.'],
    lifecycle: ['Stay installed', 'Tokens, callbacks, new secrets, uninstalling.'],
  }),
  'docs/events.md': { name: 'events', title: 'Events', about: 'Hear what happens, in three minutes.' },
  'docs/errors.md': { name: 'errors', title: 'Errors', about: 'Every code, and what to do about it.' },
  'sdk/README.md': { name: 'sdk', title: 'SDK', about: 'The packages for JavaScript and Python.' },
  'docs/tour.md': {
    name: 'tour',
    title: 'Tour',
    about: 'From the archive to a restored backup, in commands.',
  },
  'docs/operations.md': { name: 'operations', title: 'Operations', about: 'For those who run a server.' },
  ...pagesOf('operations', {
    run: ['Run a server', 'Start, settings, proxies and commands.'],
    deploy: ['Deploy', 'Archive, containers, systemd, Kubernetes.'],
    watch: ['Watch', 'Metrics and alerts.'],
    mail: ['Mail', 'Mail, and notifications on devices.'],
    administration: ['Administration', 'Accounts, exports, and how long things are kept.'],
    backup: ['Backup', 'Back up, restore, and lost keys.'],
    postgres: ['PostgreSQL', 'A second machine, replicas and fail-over.'],
    costs: ['What it costs', 'Memory, disk, processors, and what grows with what.'],
    upgrade: ['Upgrade', 'The next version.'],
  }),
  'docs/security.md': {
    name: 'security',
    title: 'Security',
    about: 'What protects a server, and from what.',
  },
  'docs/standards.md': { name: 'standards', title: 'Standards', about: 'What the interface follows.' },
};

/** The pages of a folder, each with its title and what it is about. */
function pagesOf(folder, pages) {
  return Object.fromEntries(
    Object.entries(pages).map(([name, [title, about]]) => [
      `docs/${folder}/${name}.md`,
      { name: `${folder}-${name}`, title, about, folder },
    ]),
  );
}

/** Where the server has a file that the pages link to. */
const SERVED = { 'openapi.json': '/openapi.json', 'asyncapi.json': '/asyncapi.json' };
const HOME = '/docs/guides';

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** As in the sources' own view of the file, so that links to headings hold in both. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z#\d]+;|[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** @returns undefined for what the server does not have */
function served(href, from) {
  if (/^https?:/.test(href)) return href;
  const [target, anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (!target) return hash;
  const file = path.posix.join(path.posix.dirname(from), target);
  if (file === 'sdk' || file === 'sdk/python') return `${HOME}/sdk`;
  if (PAGES[file]) return `${HOME}/${PAGES[file].name}${hash}`;
  return SERVED[file];
}

/** The body of a page. Text that looks like HTML is shown as text. */
function bodyOf(Marked, file) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${escaped(anchorOf(text))}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = served(href, file);
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll(/<thead>\s*<tr>\s*(?:<th><\/th>\s*)+<\/tr>\s*<\/thead>\n?/g, '')
          .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  // Comments are marks for checks of the sources.
  return marked.parse(read(file).replace(/<!--[\s\S]*?-->\n?/g, (mark) => (mark.endsWith('\n') ? '\n' : '')));
}

/** Links to all pages but those of folders, and below them to those of the folder that is open. */
function page(title, current, body) {
  const pages = Object.values(PAGES);
  const shown = pages.find(({ name }) => `${HOME}/${name}` === current);
  const isCurrent = (href) => (href === current ? 'page' : String(href === `${HOME}/${shown?.folder}`));
  const link = (href, text) => `<a href="${href}" aria-current="${isCurrent(href)}">${escaped(text)}</a>`;
  const linksOf = (folder) =>
    pages.filter((one) => one.folder === folder).map((one) => link(`${HOME}/${one.name}`, one.title));
  const nav = (label, links) => `<nav aria-label="${label}">${links.join('\n')}</nav>\n`;
  const inside = linksOf(shown?.folder ?? shown?.name ?? '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Parley</title>
<link rel="stylesheet" href="${HOME}/style.css">
</head>
<body>
${nav('Guides', [link('/', 'Parley'), link(HOME, 'Guides'), ...linksOf(undefined), link('/docs', 'Reference')])}${
  inside.length > 0 ? nav('Pages', inside) : ''
}<main>
${body}</main>
</body>
</html>
`;
}

function overview() {
  const row = ({ name, title, about }) =>
    `<li><a href="${HOME}/${name}">${title}</a>: ${about}${list(name)}</li>\n`;
  const list = (folder) => {
    const rows = Object.values(PAGES).flatMap((one) => (one.folder === folder ? [row(one)] : []));
    return rows.length > 0 ? `\n<ul>\n${rows.join('')}</ul>\n` : '';
  };
  const rows = Object.values(PAGES).flatMap((one) => (one.folder === undefined ? [row(one)] : []));
  return `<h1>Guides</h1>
<ul>
${rows.join('')}<li><a href="/docs">Reference</a>: every route, to read and to try; as <a href="/openapi.json">OpenAPI</a>, and the events as <a href="/asyncapi.json">AsyncAPI</a>.</li>
</ul>
<h2>To install</h2>
<ul>
<li><a href="/docs/parley-sdk.tgz">parley-sdk.tgz</a>: the SDK for JavaScript and TypeScript. <code>npm install</code> takes this address.</li>
<li><a href="/docs/parley.py">parley.py</a>: the client for Python, one file.</li>
</ul>
`;
}

async function main(to) {
  const { Marked } = await import('marked');
  fs.mkdirSync(to, { recursive: true });
  const write = (name, content) => fs.writeFileSync(path.join(to, name), content);
  write('index.html', page('Guides', HOME, overview()));
  for (const [file, { name, title }] of Object.entries(PAGES))
    write(`${name}.html`, page(title, `${HOME}/${name}`, bodyOf(Marked, file)));
  write('style.css', read('web/src/design/tokens.css') + read('deploy/guides/page.css'));
  write('parley.py', read('sdk/python/parley.py'));
  write('parley-sdk.tgz', (await sdkArchive()).bytes);
}

main(process.argv[2]).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
