import { expect, it } from 'vitest';
import { hexColor } from './index.ts';

it.each([
  ['#1F6feb', '#1f6feb'],
  ['red', '#ff0000'],
  ['Hot-Pink', '#ff69b4'],
  ['hotpink', '#ff69b4'],
  ['rebeccapurple', '#663399'],
  ['#fff', undefined],
  ['reddish', undefined],
  ['constructor', undefined],
  ['toString', undefined],
  ['-red', undefined],
  ['red;background:url(//evil.example)', undefined],
  ['', undefined],
])('%j is %j', (given, hex) => expect(hexColor(given)).toBe(hex));
