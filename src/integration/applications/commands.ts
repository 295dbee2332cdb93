import { type Static, Type } from 'typebox';
import { type FieldProblem, InvalidFields, OneOf, Text } from '#api';
import { cleanLine, passesForLatin } from '#platform/text/index.ts';
import type { ApplicationRow } from '#schema';

/** The most of one application. */
export const MOST_COMMANDS = 25;
export const MOST_SHORTCUTS = 25;
/** Characters of a name. */
export const LONGEST_COMMAND = 32;
/** The composer's own commands, and the words that mention many. */
const TAKEN = ['me', 'remind', 'help', 'team', 'here', 'channel', 'all', 'everyone'];

export const Command = Type.Object({
  name: Text(LONGEST_COMMAND, {
    min: 1,
    description: 'Without its slash: lower-case letters of one alphabet, digits, `-` and `_`',
  }),
  description: Text(100, { min: 1, description: 'One line, for those who choose among commands' }),
  hint: Type.Optional(Text(100, { description: 'Stands for the arguments, such as `[who] [how long]`' })),
});
export type Command = Static<typeof Command>;

export const Shortcut = Type.Object({
  action_id: Text(100, { min: 1, description: 'By which the application knows it' }),
  name: Text(50, { min: 1, description: 'A verb and a thing, such as “File a bug”' }),
  on: OneOf(
    ['team', 'message'],
    '`team`: found by Ctrl-K in a team. `message`: in the menu of each message of the team',
  ),
});
export type Shortcut = Static<typeof Shortcut>;

/** A command, and since when its application has had it without a break. */
export interface ClaimedCommand {
  readonly name: string;
  readonly description: string;
  readonly hint: string;
  readonly look: string;
  readonly since: number;
}

export const commandsOf = ({ commands_json }: Pick<ApplicationRow, 'commands_json'>) =>
  JSON.parse(commands_json) as ClaimedCommand[];

export const shortcutsOf = ({ shortcuts_json }: Pick<ApplicationRow, 'shortcuts_json'>) =>
  JSON.parse(shortcuts_json) as Shortcut[];

/** Letters that look alike, by the one that stands for all: Latin, Cyrillic and Greek, and those of Arabic and Persian. */
const LIKE: Readonly<Record<string, string>> = {
  ...{ 0: 'o', 1: 'l', i: 'l', ı: 'l', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ø: 'o', þ: 'p', ß: 'b' },
  ...{ а: 'a', в: 'b', г: 'r', е: 'e', һ: 'h', і: 'l', ј: 'j', к: 'k', м: 'm', н: 'h', о: 'o', п: 'n' },
  ...{ р: 'p', с: 'c', ѕ: 's', т: 't', у: 'y', х: 'x', ԁ: 'd', ԛ: 'q', ԝ: 'w', ӏ: 'l', ь: 'b', и: 'u' },
  ...{
    α: 'a',
    ε: 'e',
    η: 'n',
    ι: 'l',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    γ: 'y',
    ω: 'w',
  },
  ...{ ی: 'ي', ى: 'ي', ک: 'ك', ہ: 'ه', ھ: 'ه', ۀ: 'ه', ٱ: 'ا', ـ: '' },
};

/** Scripts whose marks people leave out by habit. In other scripts marks are vowels. */
const HABIT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** A name as it is stored and compared. */
export const commandName = (written: string): string => written.normalize('NFKC').toLowerCase();

/** Names with the same look are the same command: nobody can tell `/he1p` from `/help` by eye. */
export function lookOf(name: string): string {
  const folded = commandName(name).replaceAll(/[-_]/g, '');
  const bare = HABIT.test(folded) ? folded.normalize('NFKD').replaceAll(/\p{M}/gu, '') : folded;
  const alike = [...bare].map((letter) => LIKE[letter] ?? letter).join('');
  return alike.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** The scripts that are in wide use today (UAX #31, table 5). A name is written in one of them. */
const ALPHABETS = [
  /[a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĺļľłńņňōŏőœŕŗřśŝşšţťũūŭůűųŵŷźżžșț]/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Malayalam}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Ethiopic}/u,
  /\p{Script=Khmer}/u,
  /\p{Script=Lao}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Sinhala}/u,
  /\p{Script=Tibetan}/u,
  // Japanese takes signs of three scripts.
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u,
];
const NAME = /^\p{L}[\p{L}\p{M}0-9_-]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** More marks than a script needs run into the lines above and below. */
const PILED = /\p{M}{3}/u;
const TAKEN_LOOKS = new Set(TAKEN.map(lookOf));

/** The faults of names; the web application has a text for each. */
export const NAME_FAULTS = {
  signs: 'must begin with a letter, and have letters, digits, - and _ alone',
  taken: 'is taken, or looks like a name that is',
  alike: 'looks like another one of these',
  alphabets: 'must have letters of one alphabet, not lookalikes',
  twice: 'is there twice',
  unseen: 'must have something to read',
} as const;

function problemOf(name: string): string | undefined {
  if ([...name].length > LONGEST_COMMAND) return `must have at most ${LONGEST_COMMAND} characters`;
  if (!NAME.test(name) || INVISIBLE.test(name) || PILED.test(name)) return NAME_FAULTS.signs;
  const letters = [...name].filter((sign) => /\p{L}/u.test(sign));
  const isOfOne = ALPHABETS.some((alphabet) => letters.every((letter) => alphabet.test(letter)));
  if (!isOfOne || passesForLatin(name, '') || (/[a-z]/.test(name) && /\p{M}/u.test(name)))
    return NAME_FAULTS.alphabets;
  return TAKEN_LOOKS.has(lookOf(name)) ? NAME_FAULTS.taken : undefined;
}

/**
 * Reads the commands and shortcuts of a registration. A list that is not given stays.
 * @param before the application as it is
 * @throws InvalidFields naming each
 */
export function readNamed(
  given: { readonly commands?: readonly Command[]; readonly shortcuts?: readonly Shortcut[] },
  before: Pick<ApplicationRow, 'commands_json' | 'shortcuts_json'> | undefined,
  now: number,
): Pick<ApplicationRow, 'commands_json' | 'shortcuts_json'> {
  const problems: FieldProblem[] = [];
  const note = (problem: FieldProblem) => void problems.push(problem);
  const kept = before ?? { commands_json: '[]', shortcuts_json: '[]' };
  const { commands, shortcuts } = given;
  const commands_json =
    commands && JSON.stringify(readCommands(commands, { before: commandsOf(kept), now, note }));
  const shortcuts_json = shortcuts && JSON.stringify(readShortcuts(shortcuts, note));
  if (problems.length > 0) throw new InvalidFields(problems);
  return {
    commands_json: commands_json ?? kept.commands_json,
    shortcuts_json: shortcuts_json ?? kept.shortcuts_json,
  };
}

/**
 * @param before those that the application has; what it keeps is its own since then
 * @param note takes each problem
 */
function readCommands(
  given: readonly Command[],
  {
    before,
    now,
    note,
  }: { before: readonly ClaimedCommand[]; now: number; note: (problem: FieldProblem) => void },
): ClaimedCommand[] {
  const seen = new Set<string>();
  return given.map(({ name: written, description, hint }, index) => {
    const name = commandName(written);
    const look = lookOf(name);
    const message = seen.has(look) ? NAME_FAULTS.alike : problemOf(name);
    if (message !== undefined) note({ field: `commands.${index}.name`, message });
    seen.add(look);
    const says = cleanLine(description);
    if (says === '') note({ field: `commands.${index}.description`, message: NAME_FAULTS.unseen });
    const since = before.find((one) => one.name === name)?.since ?? now;
    return { name, description: says, hint: cleanLine(hint ?? ''), look, since };
  });
}

/** @param note takes each problem */
function readShortcuts(given: readonly Shortcut[], note: (problem: FieldProblem) => void): Shortcut[] {
  const seen = new Set<string>();
  return given.map(({ action_id, name, on }, index) => {
    if (seen.has(action_id)) note({ field: `shortcuts.${index}.action_id`, message: NAME_FAULTS.twice });
    seen.add(action_id);
    const shown = cleanLine(name);
    if (shown === '') note({ field: `shortcuts.${index}.name`, message: NAME_FAULTS.unseen });
    return { action_id, name: shown, on };
  });
}
