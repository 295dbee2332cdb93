import type { KeyboardEvent, RefObject } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { type Shortcuts, useShortcuts } from '../../shell/shortcuts.ts';
import { highFive } from '../state/changes.ts';
import { isDeleted } from '../state/message-list.ts';
import { findMessage } from '../state/messages.ts';
import { mute, placeOf, unmute } from '../state/mutes.ts';
import { markUnread } from '../state/reading.ts';
import type { MessageView } from '../state/view-context.tsx';
import type { Mover, StreamHandle } from './mover.ts';

/** Shortcuts for the focused message. */
export function useMessageKeys(view: MessageView, mover: RefObject<Mover | null>): void {
  const t = useTranslations('members.keys');
  const act = (label: string, work: (message: Message) => void): Shortcuts[string] => ({
    label,
    run: () => {
      const message = focused();
      if (message) work(message);
    },
  });
  const living = (label: string, work: (message: Message) => void) =>
    act(label, (message) => !isDeleted(message) && work(message));
  const next = { label: t('next'), run: () => move(1, mover) };
  const previous = { label: t('previous'), run: () => move(-1, mover) };
  useShortcuts(t('group'), {
    j: next,
    k: previous,
    o: act(t('open'), (message) => message.sidebar === undefined && view.open(message)),
    r: act(t('reply'), (message) => message.sidebar === undefined && view.open(message, true)),
    h: living(t('highFive'), (message) => view.run(message, () => highFive(message))),
    e: living(t('edit'), (message) => message.author.id === view.me.id && view.setEditing(message.id)),
    u: act(t('unread'), (message) => view.run(message, () => markUnread(message))),
    m: act(
      t('mute'),
      (message) =>
        message.sidebar === undefined &&
        view.run(message, () => (message.muted ? unmute(placeOf(message)) : mute(placeOf(message), null))),
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

function focused(): Message | undefined {
  return findMessage(focusedElement()?.dataset.message);
}

/** The arrow keys move the focus among messages, unless a control in a message has it. */
export function moveByArrow(event: KeyboardEvent, mover: RefObject<Mover | null>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
  if (by === undefined || !(event.target as Element).matches('article')) return;
  event.preventDefault();
  move(by, mover);
}

/** The open conversation, while the focus is in it. */
export const focusedPanel = () => document.activeElement?.closest('[data-conversation]');

/** A conversation has all its messages in the page; elsewhere the virtual list moves the focus. */
function move(by: 1 | -1, mover: RefObject<Mover | null>): void {
  const panel = focusedPanel();
  if (!panel) {
    mover.current?.move(by);
    return;
  }
  const all = [...panel.querySelectorAll<HTMLElement>('[data-message]')];
  const at = all.indexOf(focusedElement() as HTMLElement);
  const target = at === -1 ? (by === 1 ? all[0] : all.at(-1)) : all[at + by];
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}
