import { expect, it } from 'vitest';
import { linksIn } from './links.ts';

it.each<[string, string[]]>([
  ['no link: https, and a.example/x', []],
  ['see https://a.example/1, and (https://a.example/(2)).', ['https://a.example/1', 'https://a.example/(2)']],
  ['**https://a.example/1** *https://a.example/2*', ['https://a.example/1', 'https://a.example/2']],
  ['- https://a.example/1\n- again https://a.example/1', ['https://a.example/1']],
  [
    '[one](https://a.example/1)\n> https://a.example/2\n\nme@a.example',
    ['https://a.example/1', 'https://a.example/2'],
  ],
  ['`https://a.example/1`', []],
  ['```\nhttps://a.example/1\n```', []],
  ['javascript://a.example/1 ftp://a.example/1 https://', []],
])('finds the links of %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});
