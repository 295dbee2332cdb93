import { expect, it } from 'vitest';
import { discordText, slackText } from '../../src/integration/incoming/texts.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

const SIGNS = [
  '*',
  '_',
  '`',
  '```',
  '`\n',
  '<',
  '<http://a',
  '<!here|',
  '<@|a',
  '>',
  '|',
  '[',
  '[](http://a',
  '[a](',
  '(',
  ')',
  '||',
  '<http://a|b>',
];
const MORE = [':', ':a:', ':a', 'http://', 'http://a/(', '# ', '#', '\n', ' ', 'a', '&lt;', '!', '![', '"'];
const OTHERS = ['*', '`', '```', '<', '[', ':', '(', '\n', ' ', 'a'];

const CHARACTERS = 40_000;

it.each([...SIGNS, ...MORE])(
  'the time to read a text of Slack or Discord grows with its length: rows of %j',
  async (sign) => {
    for (const other of OTHERS) {
      const texts = (characters: number) => [
        `# *<http://a ${other}${sign.repeat(characters / sign.length)}${other}`,
        (sign + other).repeat(characters / (sign + other).length),
        `<http://a|${(sign + other).repeat(characters / (sign + other).length)}>`,
      ];
      for (const read of [slackText, discordText]) {
        const work = (characters: number) => (share: number) => void texts(share * characters).map(read);
        const { times } = await growth(work(CHARACTERS));
        // A quarter that the collector of garbage never saw looks too cheap. A square grows on.
        const { times: further } = times < MOST_GROWTH ? { times } : await growth(work(4 * CHARACTERS));
        expect(further, other).toBeLessThan(MOST_GROWTH);
      }
    }
  },
);
