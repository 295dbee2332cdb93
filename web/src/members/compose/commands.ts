import type { Target } from '../state/outbox.ts';

/** The commands that need no application. */
export const BUILT_IN = ['me', 'remind', 'help'] as const;
export type BuiltIn = (typeof BUILT_IN)[number];

/** The meaning of a text when it is sent. */
export type Meant =
  | { readonly kind: 'post'; readonly text: string }
  | { readonly kind: 'help' }
  /** A time and what to be reminded of. */
  | { readonly kind: 'remind'; readonly text: string }
  /** A command without what it needs. */
  | { readonly kind: 'incomplete'; readonly name: BuiltIn }
  /** A command of an application, or of none. */
  | { readonly kind: 'other'; readonly name: string };

export const COMMAND_NAME = '\\p{L}[\\p{L}\\p{M}\\p{N}_-]{0,63}';
/** Slashes and a name at the very beginning. Paths, comments and numbers are not commands. */
const SLASHED = new RegExp(`^(/+)(${COMMAND_NAME})(?:\\s|$)`, 'u');

/** A name as the server compares it. */
export const commandName = (written: string): string => written.normalize('NFKC').toLowerCase();

/** @returns those that begin like this; none if one is complete, so that Enter sends it */
export function begunLike<Named extends { readonly name: string }>(
  typed: string,
  all: readonly Named[],
): readonly Named[] {
  const begun = commandName(typed);
  return all.some(({ name }) => name === begun) ? [] : all.filter(({ name }) => name.startsWith(begun));
}

/** Reads a text as its author means it: a command, or a message. Two slashes post one. */
export function meantBy(text: string): Meant {
  const [, slashes = '', name = ''] = SLASHED.exec(text) ?? [];
  if (slashes !== '/') return { kind: 'post', text: slashes === '' ? text : text.slice(1) };
  const rest = text.slice(name.length + 1).trim();
  switch (commandName(name)) {
    case 'me':
      return rest === '' ? { kind: 'incomplete', name: 'me' } : { kind: 'post', text: acted(rest) };
    case 'remind':
      return rest === '' ? { kind: 'incomplete', name: 'remind' } : { kind: 'remind', text: rest };
    case 'help':
      return { kind: 'help' };
    default:
      return { kind: 'other', name };
  }
}

/** A message as it would have to be written, so that it is posted as it is. */
export const asWritten = (message: string): string => (SLASHED.test(message) ? `/${message}` : message);

/** In italics, line by line: emphasis ends with its paragraph. */
const acted = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const said = line.trim();
      return said === '' ? line : line.replace(said, () => `_${said}_`);
    })
    .join('\n');

/** Where commands of applications can be given. */
export interface CommandScope {
  readonly team: string;
  /** In the conversation with an application: its own alone. */
  readonly application?: string;
}

/** @returns undefined where none can be given */
export function scopeOf(target: Target | undefined): CommandScope | undefined {
  if (target?.kind === 'team') return { team: target.id };
  return target?.kind === 'application' ? { team: target.team, application: target.application } : undefined;
}

export const isWithin = (
  { application }: Partial<CommandScope>,
  command: { readonly application: { readonly id: string } },
): boolean => application === undefined || command.application.id === application;
