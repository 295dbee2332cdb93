import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Confirm } from '../../design/dialog.tsx';
import { MenuAt } from '../../design/menu.tsx';
import { onDemand } from '../../design/on-demand.tsx';
import { bareName } from '../../emoji/custom-emoji.ts';
import { EmojiDialog } from '../../emoji/emoji-dialog.tsx';
import { remove } from '../state/changes.ts';
import { isDeleted } from '../state/message-list.ts';
import { isAnswerable } from '../state/messages.ts';
import { HIGH_FIVE, hasReacted, react } from '../state/reactions.ts';
import type { Passage } from '../state/references.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './actions.module.css';
import { HistoryDialog } from './history-dialog.tsx';
import { type Asked, MessageMenu, QUICK } from './message-menu.tsx';
import { ReactionsDialog } from './reactions.tsx';
import { SelectDialog } from './select-dialog.tsx';
import type { Point } from './use-long-press.ts';
import { useQuote } from './use-quote.ts';

const NewSidebarDialog = onDemand(
  async () => (await import('../compose/sidebar-dialog.tsx')).NewSidebarDialog,
);

const ForwardDialog = onDemand(async () => (await import('./forward-dialog.tsx')).ForwardDialog);
const RemindDialog = onDemand(async () => (await import('../later/remind-dialog.tsx')).RemindDialog);
const MoveDialog = onDemand(async () => (await import('../subjects/subject-dialogs.tsx')).MoveDialog);

interface ActionsProps {
  readonly message: Message;
  /** Where a long press asks for the menu. */
  readonly pressed: Point | undefined;
  readonly onClosed: () => void;
}

/** The actions of a message: the common ones as buttons, all of them in a menu. */
export function MessageActions({ message, pressed, onClosed }: ActionsProps) {
  const t = useTranslations('members.actions');
  const view = useMessageView();
  const [menu, setMenu] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const more = useRef<HTMLButtonElement>(null);
  const quoting = useQuote(message, more);
  const deleted = isDeleted(message);
  const isOpen = menu || pressed !== undefined;
  const closeMenu = () => {
    setMenu(false);
    onClosed();
    quoting.forget();
  };
  return (
    <>
      <div className={`${styles.bar} ${isOpen ? styles.open : ''}`}>
        {!deleted &&
          QUICK.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className={`${styles.action} ${styles.quick} ${styles.emoji}`}
              aria-pressed={hasReacted(message, emoji)}
              aria-label={emoji === HIGH_FIVE ? t('highFive') : t('react', { emoji })}
              title={emoji === HIGH_FIVE ? t('highFiveHint') : t('react', { emoji })}
              onClick={() => view.run(message, () => react(message, emoji))}
            >
              {emoji}
            </button>
          ))}
        {!deleted && (
          <button
            type="button"
            className={`${styles.action} ${styles.quick} ${styles.add}`}
            aria-haspopup="dialog"
            aria-label={t('addReaction')}
            title={t('addReaction')}
            onClick={() => setAsked('emoji')}
          />
        )}
        {isAnswerable(message) && (
          <button
            type="button"
            className={`${styles.action} ${styles.quick} ${styles.reply}`}
            aria-label={t('reply')}
            title={t('reply')}
            onClick={() => view.open(message, true)}
          />
        )}
        <button
          ref={more}
          type="button"
          className={`${styles.action} ${styles.more}`}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-label={t('more')}
          title={t('more')}
          onPointerDown={() => quoting.note(true)}
          onClick={() => {
            quoting.note();
            if (isOpen) closeMenu();
            else setMenu(true);
          }}
        />
      </div>
      {isOpen && (
        <MenuAt anchor={more} at={pressed} onClose={closeMenu}>
          <MessageMenu message={message} ask={setAsked} quote={quoting.quote} />
        </MenuAt>
      )}
      {asked && (
        <AskedDialog what={asked} message={message} quote={quoting.quote} close={() => setAsked(undefined)} />
      )}
    </>
  );
}

/** The dialog that a choice in the menu opens. */
function AskedDialog(props: {
  what: Asked;
  message: Message;
  quote: (passage?: Passage) => void;
  close: () => void;
}) {
  const { what, message, quote, close } = props;
  const t = useTranslations('members.actions');
  const view = useMessageView();
  switch (what) {
    case 'emoji':
      return (
        <EmojiDialog
          onClose={close}
          onChoose={(emoji) => {
            close();
            view.run(message, () => react(message, bareName(emoji)));
          }}
        />
      );
    case 'reactions':
      return <ReactionsDialog message={message} onClose={close} />;
    case 'history':
      return <HistoryDialog message={message} onClose={close} />;
    case 'select':
      return <SelectDialog message={message} onClose={close} quote={quote} />;
    case 'sidebar':
      return <NewSidebarDialog message={message} onClose={close} />;
    case 'forward':
      return <ForwardDialog message={message} onClose={close} />;
    case 'remind':
      return <RemindDialog message={message.id} onClose={close} />;
    case 'move':
      return <MoveDialog message={message} onClose={close} />;
    case 'delete':
      return (
        <Confirm
          open
          onClose={close}
          title={t('deleteTitle')}
          description={t('deleteText')}
          action={t('delete')}
          act={() => remove(message, view.me.id)}
        />
      );
  }
}
