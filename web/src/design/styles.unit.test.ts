import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What would stand on the wrong side where one reads from right to left. */
const PHYSICAL = [
  // Sides by name: the logical properties are `inset-inline-start`, `padding-inline-end` and so on.
  /^\s*(left|right|(margin|padding|border|scroll-margin|scroll-padding)-(left|right)[\w-]*):/,
  /^\s*border-(top|bottom)-(left|right)-radius:/,
  /^\s*(text-align|float|clear|justify-\w+):\s*(left|right)\b/,
  /translate(X|3d)\(/,
  // A shadow has no logical sides: `--forwards` of direction.css turns it.
  /^\s*box-shadow:.*inset -?[1-9]/,
];
/** Four values, of which the second and the fourth are the sides. */
const FOUR = /^\s*(margin|padding|inset|border-width):\s*(\S+) (\S+) (\S+) (\S+);/;

it('styles name the sides of a line by where it begins and ends, for languages that begin on the right', () => {
  const physical = globSync('web/src/**/*.css').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => {
        const [, , , right, , left] = FOUR.exec(line) ?? [];
        return right !== left || PHYSICAL.some((pattern) => pattern.test(line));
      })
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(physical).toEqual([]);
});
