import { describe, expect, it } from 'vitest';
import { catalogue, common, titleOf, write } from '../../src/conversation/mails/catalogue.ts';
import type { Facts, MailKind, MessageSummary } from '../../src/conversation/mails/mail.facts.ts';
import { texts as pushTexts } from '../../src/conversation/pushes/texts.ts';
import { type Language, languages } from '../../src/people/users/user.schema.ts';
import { textsOf } from '../../web/compile-texts.ts';
import { LANGUAGES } from '../../web/src/text/languages.ts';

const ARABIC = /\p{Script=Arabic}/u;
const others = languages.filter((language) => language !== 'en');

it('the web application has the languages that mails have', () => {
  expect(Object.keys(LANGUAGES)).toEqual([...languages]);
});

describe('texts of the web application', async () => {
  type Node = string | number | readonly Node[] | { readonly [option: string]: Node };
  const [SELECT, PLURAL] = [1, 2];
  const isNodes = (node: Node): node is readonly Node[] => Array.isArray(node);
  const trees = new Map<Language, Map<string, Node>>();
  for (const language of languages) trees.set(language, flat(await textsOf(language)));
  const texts = (language: Language) => trees.get(language) as Map<string, Node>;

  function flat(tree: unknown, path = ''): Map<string, Node> {
    if (typeof tree === 'string' || Array.isArray(tree)) return new Map([[path, tree]]);
    const branches = Object.entries(tree as object);
    return new Map(branches.flatMap(([key, branch]) => [...flat(branch, `${path}.${key}`)]));
  }

  /** The values and tags of a compiled text, and every part that depends on a number or a word. */
  function partsOf(text: Node): { names: string[]; choices: { type: number; options: string[] }[] } {
    const names = new Set<string>();
    const choices: { type: number; options: string[] }[] = [];
    const read = (nodes: Node): void => {
      if (!isNodes(nodes)) return;
      for (const node of nodes) {
        if (!isNodes(node)) continue;
        const [name, type, options] = node;
        names.add(String(name));
        if (typeof type === 'number' && typeof options === 'object') {
          choices.push({ type, options: Object.keys(options) });
          for (const option of Object.values(options)) read(option as Node);
        } else read(node.slice(1));
      }
    };
    read(text);
    return { names: [...names].sort(), choices };
  }

  it.each(others)('%s has each key of the English ones, with the same values', (language) => {
    const values = (of: Language) =>
      Object.fromEntries([...texts(of)].map(([key, text]) => [key, partsOf(text).names]));
    expect(values(language)).toEqual(values('en'));
  });

  it.each(others)('%s tells the same words apart', (language) => {
    const words = (of: Language) =>
      Object.fromEntries(
        [...texts(of)].map(([key, text]) => [
          key,
          partsOf(text)
            .choices.filter(({ type }) => type === SELECT)
            .map(({ options }) => options.sort()),
        ]),
      );
    expect(words(language)).toEqual(words('en'));
  });

  it.each([...languages])(
    '%s has a form of its own for each number that its grammar tells apart',
    (language) => {
      const rules = new Intl.PluralRules(language);
      const numbers = [...Array(121).keys(), 1000];
      const lacking = [...texts(language)].flatMap(([key, text]) =>
        partsOf(text)
          .choices.filter(({ type }) => type === PLURAL)
          .flatMap(({ options }) => {
            const has = (number: number) =>
              options.includes(`=${number}`) || options.includes(rules.select(number));
            return numbers.filter((number) => !has(number)).map((number) => `${key}: ${number}`);
          }),
      );
      expect(lacking).toEqual([]);
    },
  );

  it('nothing was left in English', () => {
    const written = (of: Language, key: string) => JSON.stringify(texts(of).get(key));
    const isAddress = (text: string) => /^"https?:\S+"$/.test(text);
    const left = [...texts('ar').keys()].filter(
      (key) => !ARABIC.test(written('ar', key)) && written('de', key) !== written('en', key),
    );
    expect(left.filter((key) => !isAddress(written('ar', key)))).toEqual([]);
  });
});

it('an Arabic notification names author and team in an Arabic sentence', () => {
  const { from, what, attachment, test } = pushTexts.ar;
  for (const text of [...Object.values(what), from('Ada', 'Core'), attachment, test])
    expect(text).toMatch(ARABIC);
  expect(from('Ada', 'Core')).toMatch(/Ada.*Core/);
});

describe('mails', () => {
  const [ACTOR, TEAM, NAME, TIME] = ['Actor', 'Place', 'Reader', 'Moment'];
  const REST = [
    { team: TEAM, isMention: true, count: 3 },
    { team: TEAM, isMention: false, count: 4 },
    { team: null, isMention: false, count: 5 },
  ];
  const what: readonly MessageSummary['what'][] = ['mention', 'sidebar', 'reply', 'direct', 'message'];
  const messages = (count: number, more: number, author?: string, team?: string) => ({
    count,
    more,
    rest: more < 7 ? [] : REST,
    first: { author: ACTOR, team: TEAM, what: 'message' as const },
    author,
    team,
  });
  const facts: { readonly [K in MailKind]: readonly Facts[K][] } = {
    email_verification: [{ name: NAME, at: TIME, from: '192.0.2.1' }],
    password_reset: [{ name: NAME }],
    invitation: [{ from: ACTOR, team: TEAM }],
    security: [
      { name: NAME, event: 'guesses' },
      { name: NAME, event: 'sign_up' },
      { name: NAME, event: 'password_changed', at: TIME },
    ],
    team_removed: [{ actor: ACTOR, team: TEAM }],
    team_role_changed: [
      { actor: ACTOR, team: TEAM, admin: true },
      { actor: ACTOR, team: TEAM, admin: false },
    ],
    calls_paused: [{ application: TEAM, since: TIME }],
    messages: [
      messages(1, 0, ACTOR, TEAM),
      messages(30, 7, ACTOR, TEAM),
      messages(30, 0, undefined, TEAM),
      messages(30, 7),
    ],
  };
  const links = { action: 'http://a', unsubscribe: 'http://b' };
  const every = <K extends MailKind>(kind: K, language: Language) =>
    facts[kind].map((one) => write(kind, language, one, links));
  const all = (language: Language) =>
    (Object.keys(facts) as MailKind[]).flatMap((kind) => every(kind, language));
  const known = (text: string) => text.match(/Actor|Place|Reader|Moment|Parley|\d+/g)?.sort() ?? [];

  it.each(others)('%s names in each mail who and what the English one names', (language) => {
    const names = (of: Language) =>
      all(of).map(({ subject, paragraphs, action, footer, unsubscribe }) => ({
        subject: known(subject),
        text: [...new Set(known([...paragraphs, ...footer].join(' ')))],
        action: action && known(action.label),
        unsubscribe: unsubscribe?.url,
      }));
    expect(names(language)).toEqual(names('en'));
    const titles = (of: Language) =>
      what.map((one) => [TEAM, null].map((team) => known(titleOf(of, { author: ACTOR, team, what: one }))));
    expect(titles(language)).toEqual(titles('en'));
  });

  it('an Arabic mail is Arabic in each part', () => {
    for (const { subject, paragraphs, action, footer } of all('ar')) {
      for (const part of [subject, ...paragraphs, ...footer, ...(action ? [action.label] : [])]) {
        expect(part).toMatch(ARABIC);
      }
    }
    expect(
      JSON.stringify(common.ar, (_key, part) => (typeof part === 'string' ? ARABIC.test(part) : part)),
    ).not.toContain('false');
  });

  it('numbers of messages are counted as Arabic counts', () => {
    const subject = (count: number) => catalogue.messages.texts.ar(messages(count, 0)).subject;
    const action = (more: number) => catalogue.messages.texts.ar({ ...messages(60, more), rest: [] }).action;
    expect([1, 2, 3, 10, 11, 99, 100, 102, 103].map(subject)).toEqual([
      'رسالة من \u2068Actor\u2069 في \u2068Place\u2069',
      'رسالتان جديدتان',
      '3 رسائل جديدة',
      '10 رسائل جديدة',
      '11 رسالة جديدة',
      '99 رسالة جديدة',
      '100 رسالة جديدة',
      '102 رسالة جديدة',
      '103 رسائل جديدة',
    ]);
    expect([0, 1, 2, 3, 11].map(action)).toEqual([
      undefined,
      'ورسالة أخرى',
      'ورسالتان أخريان',
      'و3 رسائل أخرى',
      'و11 رسالة أخرى',
    ]);
  });
});
