import type { Message } from '../../api/types.ts';
import { kept, useIsKept, useKept, useKeptNames } from '../../storage/kept.ts';
import { bytesOf } from '../../storage/texts.ts';
import type { Draft } from './draft.ts';
import { putBack } from './draft-files.ts';
import { draftOf, type KeptEdit, keptOf } from './edited-draft.ts';

export type { Attached, Draft, Waiting } from './draft.ts';

/** Changes the current value of a draft. */
export type Change = (work: (now: Draft) => Draft) => void;

const NOTHING: Draft = { text: '', files: [] };

/** The name by which a draft is kept. */
export const nameOfDraft = (userId: string, place: string) => `draft.${userId}.${place}`;
/** The name by which the edit of a message is kept. */
export const nameOfEdit = (userId: string, message: string) => `edit.${userId}.${message}`;

const isNothing = ({ text, files, waiting = [] }: Draft) =>
  text === '' && files.length === 0 && waiting.length === 0;

/**
 * A draft that outlives the window.
 * @param place the draft's name
 * @param longest the length up to which it is kept: above, this window alone has it
 */
export function useDraft(userId: string, place: string, longest: number) {
  const name = nameOfDraft(userId, place);
  const draft = useKept<Draft>(name) ?? NOTHING;
  const now = () => kept.get<Draft>(name) ?? NOTHING;
  const change: Change = (work) => {
    const next = work(now());
    if (isNothing(next)) kept.remove(name);
    else if (next.text.length > longest) kept.setHere(name, next);
    else kept.set(name, next);
  };
  return { draft, now, change, isKept: useIsKept(name) };
}

/** Adds a line to the draft of a place whose field is not in the page yet. */
export function addToDraft(userId: string, place: string, line: string): void {
  const name = nameOfDraft(userId, place);
  const before = kept.get<Draft>(name) ?? NOTHING;
  kept.set(name, { ...before, text: `${before.text}${before.text === '' ? '' : '\n'}${line}\n` });
}

/** Puts a ready text into the draft of a place where nothing is written yet. */
export function beginDraft(userId: string, place: string, text: string): void {
  const name = nameOfDraft(userId, place);
  if (isNothing(kept.get<Draft>(name) ?? NOTHING)) kept.set(name, { text, files: [] });
}

/** The text and the files of a message that is being edited. They outlive the window until they are saved or discarded. */
export function useKeptEdit(userId: string, message: Message) {
  const name = nameOfEdit(userId, message.id);
  const begun = useKept<KeptEdit>(name);
  const latest = () => kept.get<KeptEdit>(name);
  const now = () => draftOf(message, latest());
  const change: Change = (work) => {
    const next = keptOf(message, latest()?.before ?? message.text, work(now()));
    if (next) kept.set(name, next);
    else kept.remove(name);
  };
  const discard = () => {
    for (const bytes of bytesOf(latest() ?? {})) kept.removeFile(bytes);
    kept.remove(name);
  };
  return {
    begun: begun !== undefined,
    draft: draftOf(message, begun),
    before: begun?.before ?? message.text,
    /** Whether it changes the message's files. */
    changesFiles: (begun?.removed ?? []).length + (begun?.files ?? []).length > 0,
    now,
    change,
    discard,
    isKept: useIsKept(name),
  };
}

/** The names of the drafts and edits for a team. */
export function useWrittenFor(userId: string, team: string): string[] {
  const ofTeam = nameOfDraft(userId, `team.${team}`);
  const fits = (name: string, text: Partial<Draft>) => name === ofTeam || text.team === team;
  const drafts = useKeptNames(nameOfDraft(userId, ''), fits);
  return [...drafts, ...useKeptNames(nameOfEdit(userId, ''), fits)];
}

/**
 * Discards a draft or an edit. The bytes of its files stay until a window that starts sweeps them.
 * @returns what brings it back; what was written in its place meanwhile stays, below it
 */
export function discardWritten(name: string): () => Promise<void> {
  const discarded = kept.get<Draft>(name);
  const isKept = kept.isKept(name);
  const files = bytesOf(discarded ?? {}).map(async (key) => ({ key, bytes: await kept.file(key) }));
  kept.remove(name);
  return async () => {
    const held = await Promise.all(files);
    if (!discarded) return;
    const since = kept.get<Draft>(name);
    const back = since ? { ...putBack(discarded, since), waiting: waitingOf(discarded, since) } : discarded;
    if (isKept) kept.set(name, back);
    else kept.setHere(name, back);
    for (const { key, bytes } of held) if (bytes) kept.addFile(key, bytes);
  };
}

const waitingOf = (...drafts: Draft[]) => drafts.flatMap(({ waiting = [] }) => waiting);

/** The names of all drafts and edits of a user. */
export function useWritten(userId: string): string[] {
  const all = () => true;
  return [...useKeptNames(nameOfDraft(userId, ''), all), ...useKeptNames(nameOfEdit(userId, ''), all)];
}
