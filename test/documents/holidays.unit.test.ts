import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/process.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

it.each(['bot.mjs', 'bot.py'])(
  '%s of examples/holidays is the one of the page, which a test runs',
  (name) => {
    const page = read('docs/developers/bot.md');
    const begin = page.indexOf(` file=holiday/${name}\n`);
    const text = page.slice(page.indexOf('\n', begin) + 1, page.indexOf('\n```', begin) + 1);
    expect(read(`examples/holidays/${name}`)).toBe(text);
    expect(text).toContain('approve');
  },
);
