import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../../api/client.ts';
import { commandsIn, knownCommands } from '../../api/offered.ts';
import { showShortcuts } from '../../shell/windows.ts';
import { useFailureText } from '../../text/failure.ts';
import { ruleOf } from '../../text/rules.ts';
import { giveCommand } from '../state/asking.ts';
import { putBack } from '../state/draft-files.ts';
import { type Change, useDraft } from '../state/drafts.ts';
import { post, postedAs, type Target, type Unsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import { asWritten, commandName, isWithin, meantBy, scopeOf } from './commands.ts';
import { useLongest, useWriting } from './use-writing.ts';

/** The message that is being written: its draft, and how it is sent. */
export function useComposing(
  field: RefObject<HTMLTextAreaElement | null>,
  props: {
    target: Target | undefined;
    draft: string;
    team?: string | undefined;
    alsoTo?: string | undefined;
    onPosted?: () => void;
    onNobody?: () => void;
  },
) {
  const { target, draft: name, team, alsoTo, onPosted, onNobody } = props;
  const t = useTranslations('shell.commands');
  const failure = useFailureText();
  const { me } = useMessageView();
  const { mostKept } = useLongest();
  const { draft, now, change: put, isKept } = useDraft(me.id, name, mostKept);
  const change: Change = (work) =>
    put((before) => ({ ...work(before), ...(team !== undefined && { team }) }));
  const writing = useWriting(field, { draft, now, change });
  const takeBack = (entry: Unsent) => {
    change((before) =>
      putBack(before, { ...entry, text: before.text === '' ? asWritten(entry.text) : entry.text }),
    );
    field.current?.focus();
  };
  const giving = useRef(false);
  const [later, setLater] = useState<Later>();
  /** @param name as it was written */
  const give = async (name: string) => {
    if (giving.current) return;
    giving.current = true;
    const { text } = draft;
    const failed = await giveTo(target, team, { name, text });
    giving.current = false;
    if (failed === undefined) return change((now) => (now.text === text ? { ...now, text: '' } : now));
    const { note, error } = failed;
    writing.setNote(note ? t(note, { name }) : failure(error));
  };
  const send = () => {
    if (writing.isEmpty && writing.uploads.running.length === 0) return;
    if (!writing.isReady()) return;
    const meant = meantBy(draft.text);
    if (meant.kind === 'help') {
      change((before) => ({ ...before, text: '' }));
      return showShortcuts();
    }
    if (meant.kind === 'remind') return setLater({ kind: 'remind', typed: meant.text });
    if (meant.kind === 'other') return void give(meant.name);
    if (meant.kind !== 'post') return writing.setNote(t(meant.kind, { name: meant.name }));
    if (!target) return onNobody?.();
    post(target, meant.text, draft.files, alsoTo);
    change(() => ({ text: '', files: [] }));
    field.current?.focus();
    onPosted?.();
  };
  /** Asks when it is to be sent, in place of sending it. */
  const sendLater = () => {
    if (writing.isEmpty || !target || !writing.isReady()) return;
    const meant = meantBy(draft.text);
    if (meant.kind !== 'post') return send();
    setLater({ kind: 'schedule', message: postedAs(target, meant.text, draft.files) });
  };
  const endLater = () => {
    setLater(undefined);
    field.current?.focus();
  };
  const clear = () => change(() => ({ text: '', files: [] }));
  return { ...writing, draft, isKept, takeBack, send, sendLater, later, endLater, clear };
}

/** What the reader is asked about, before it is saved for later. */
type Later =
  | { readonly kind: 'remind'; readonly typed: string }
  | { readonly kind: 'schedule'; readonly message: object & { readonly text: string } };

type NotGiven = { readonly note: 'unknown' | 'elsewhere'; readonly error?: unknown } | NotTaken;
interface NotTaken {
  readonly note?: undefined;
  readonly error: unknown;
}

/**
 * Gives a command to the application that has it.
 * @param target where it is written
 * @param team of whose conversation that is a part
 * @returns why it was not given
 */
async function giveTo(
  target: Target | undefined,
  team: string | undefined,
  { name: written, text }: { name: string; text: string },
): Promise<NotGiven | undefined> {
  const name = commandName(written);
  const scope = scopeOf(target);
  const within = scope?.team ?? team;
  try {
    const all = within === undefined ? knownCommands() : await commandsIn(within);
    const command = all.find((one) => one.name === name && isWithin(scope ?? {}, one));
    if (!command) return { note: 'unknown' };
    if (!scope) return { note: 'elsewhere' };
    const error = await giveCommand(scope, command, text);
    if (error === undefined) return undefined;
    return isUnknown(error) ? { note: 'unknown' } : { error };
  } catch (error) {
    return { error };
  }
}

/** The application has given the name up meanwhile. A text that is too long breaks a rule instead. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && error.fields.text !== undefined && ruleOf(error.fields.text) === undefined;
