import type { KeyboardEvent, RefObject } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { giveFocus } from '../../design/hands.ts';
import { fieldHere } from '../../shell/letters.ts';
import { type Shortcuts, useShortcuts } from '../../shell/shortcuts.ts';
import { choose, chosenMessage } from '../state/chosen.ts';
import { isDeleted, isEditableBy } from '../state/message-list.ts';
import { findMessage, isAnswerable } from '../state/messages.ts';
import { isMutable, mutableOf, mute, unmute } from '../state/mutes.ts';
import { HIGH_FIVE, react } from '../state/reactions.ts';
import { markUnread } from '../state/reading.ts';
import { isPinnable, pin, save } from '../state/saving.ts';
import type { MessageView } from '../state/view-context.tsx';
import type { Mover, StreamHandle } from './mover.ts';

/** Shortcuts for the chosen message. */
export function useMessageKeys(view: MessageView, mover: RefObject<Mover | null>): void {
  const t = useTranslations('members.keys');
  const act = (label: string, work: (message: Message) => void): Shortcuts[string] => ({
    label,
    run: () => {
      const message = findMessage(chosenMessage());
      if (message) work(message);
    },
    isMeant: () => chosenMessage() !== undefined,
  });
  const living = (label: string, work: (message: Message) => void) =>
    act(label, (message) => !isDeleted(message) && work(message));
  const next = { label: t('next'), run: () => void move(1, mover) };
  const previous = { label: t('previous'), run: () => void move(-1, mover) };
  useShortcuts(t('group'), {
    j: next,
    k: previous,
    ArrowDown: { ...next, run: () => downToField(mover), isMeant: isAtMessage },
    ArrowUp: { ...previous, isMeant: isAtMessage },
    F6: { label: t('field'), run: () => changeSides(mover), isMeant: isWithoutWindow },
    o: act(t('open'), (message) => message.sidebar === undefined && view.open(message)),
    r: act(t('reply'), (message) => isAnswerable(message) && view.open(message, true)),
    h: living(t('highFive'), (message) => view.run(message, () => react(message, HIGH_FIVE))),
    e: act(t('edit'), (message) => isEditableBy(message, view.me.id) && view.setEditing(message.id)),
    s: living(t('save'), (message) => view.run(message, () => save(message))),
    p: act(t('pin'), (message) => isPinnable(message) && view.run(message, () => pin(message))),
    u: living(t('unread'), (message) => view.run(message, () => markUnread(message))),
    m: act(
      t('mute'),
      (message) =>
        isMutable(message) &&
        view.run(message, () =>
          message.muted ? unmute(mutableOf(message)) : mute(mutableOf(message), null),
        ),
    ),
  });
}

/** End and Home lead through a stream also while nothing in it has the focus. @param name of what it shows */
export function useStreamKeys(
  name: string,
  stream: RefObject<StreamHandle | null>,
  more: Shortcuts = {},
): void {
  const t = useTranslations('members.stream');
  // In the open conversation they are those of its messages.
  const isMeant = () => !focusedPanel();
  useShortcuts(name, {
    ...more,
    Home: { label: t('toStart'), run: () => stream.current?.toStart(), isMeant },
    End: { label: t('toEnd'), run: () => stream.current?.follow(), isMeant },
  });
}

/** Enter opens the focused message, unless a control in it has the focus. */
export function opensMessage(event: KeyboardEvent<HTMLElement>): boolean {
  return event.key === 'Enter' && event.target === event.currentTarget && !event.defaultPrevented;
}

const focusedElement = () => document.activeElement?.closest<HTMLElement>('[data-message]');

/** Arrows scroll, or belong to a control, unless a row has the focus, or the title of a conversation. */
const isAtMessage = () =>
  document.activeElement?.matches('article, [data-conversation] header :is(h1, h2)') === true;

/** Below the newest message stands the field. */
function downToField(mover: RefObject<Mover | null>): void {
  if (!move(1, mover)) fieldHere()?.focus();
}

/** The open conversation, while the focus is in it. */
export const focusedPanel = () => document.activeElement?.closest('[data-conversation]');

const isWithoutWindow = () => document.querySelector('[role="dialog"], [role="alertdialog"]') === null;

/** Leads from the field to write in to the messages above it, and back. */
function changeSides(mover: RefObject<Mover | null>): void {
  const field = fieldHere();
  const panel = focusedPanel();
  const last = panel && messagesIn(panel).at(-1);
  if (field !== document.activeElement) field?.focus();
  else if (last) giveFocus(last);
  else if (!panel) mover.current?.enter();
}

const messagesIn = (panel: Element) => [...panel.querySelectorAll<HTMLElement>('[data-message]')];

/**
 * A conversation has all its messages in the page; elsewhere the virtual list moves the focus.
 * @returns whether there was somewhere to go
 */
function move(by: 1 | -1, mover: RefObject<Mover | null>): boolean {
  const panel = focusedPanel();
  if (!panel) return mover.current?.move(by) ?? false;
  const all = messagesIn(panel);
  const at = all.indexOf(focusedElement() as HTMLElement);
  const target = at === -1 ? (by === 1 ? all[0] : all.at(-1)) : all[at + by];
  if (!target) return false;
  choose(target);
  target.scrollIntoView({ block: 'nearest' });
  return true;
}
