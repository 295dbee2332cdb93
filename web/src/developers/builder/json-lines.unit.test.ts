import { describe, expect, it } from 'vitest';
import { jsonLines, lineOf } from './json-lines.ts';

const TEXT = `{
  "text": "a \\" {",
  "blocks": [
    { "type": "header", "a/b": [1,
      -2.5e3] },

    { "type": "divider" }
  ]
}`;

describe('the line of a value', () => {
  it('is found by its JSON pointer, with signs that are escaped in it', () => {
    const read = jsonLines(TEXT);
    expect(read.broken).toBeUndefined();
    expect(
      ['', '/text', '/blocks', '/blocks/0/type', '/blocks/0/a~1b/1', '/blocks/1/type'].map((pointer) =>
        lineOf(read, pointer),
      ),
    ).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it('is that of what it should be in, where the value is missing', () => {
    expect(lineOf(jsonLines(TEXT), '/blocks/1/text/text')).toBe(7);
    expect(lineOf(jsonLines('[\n{}]'), '/0/type')).toBe(2);
  });

  it('is known up to where the text stops being JSON', () => {
    expect(jsonLines('[\n1,\n\n x]').broken).toBe(4);
    expect(jsonLines('[\n1,\n').broken).toBe(3);
    expect(jsonLines('{\n"a" 1}').broken).toBe(2);
    expect(jsonLines('[\n1\n,\n]').broken).toBe(4);
    expect(jsonLines('{"a":\n[,]\n}').broken).toBe(2);
    expect(jsonLines('[]\n[]').broken).toBe(2);
    expect(jsonLines('').broken).toBe(1);
  });
});
