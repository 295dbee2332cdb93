import {
  AlarmClock,
  BellOff,
  Bookmark,
  BookmarkX,
  CircleDot,
  Copy,
  Ellipsis,
  Forward,
  Hash,
  History,
  Link2,
  MessageSquareReply,
  MessagesSquare,
  Pencil,
  Pin,
  PinOff,
  Quote,
  SmilePlus,
  TextSelect,
  Trash2,
  Users,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { MenuItem, MenuRow, MenuRowItem, MenuSeparator, SubMenu } from '../../design/menu.tsx';
import { tell } from '../../design/toast.tsx';
import { isDeleted, isEditableBy, isEdited } from '../state/message-list.ts';
import { isAnswerable } from '../state/messages.ts';
import { isMutable, mutableOf } from '../state/mutes.ts';
import { HIGH_FIVE, hasReacted, react } from '../state/reactions.ts';
import { markUnread } from '../state/reading.ts';
import { addressOf, type Passage } from '../state/references.ts';
import { isPinnable, pin, save } from '../state/saving.ts';
import { useMessageView } from '../state/view-context.tsx';
import { MuteItems } from './mute-items.tsx';
import { ShortcutItems } from './shortcut-items.tsx';

/** Where a finger that rests on a message opens its menu, and selects nothing (see message.module.css). */
const RESTING_FINGER = '(pointer: coarse)';

/** In the row of the menu; the first ones are one click away beside the message, too. */
export const QUICK = ['👍', HIGH_FIVE, '❤️'];
const OFFERED = [...QUICK, '😂', '🎉'];

/** What a choice asks for in a dialog. */
export type Asked =
  | 'delete'
  | 'forward'
  | 'emoji'
  | 'reactions'
  | 'history'
  | 'select'
  | 'sidebar'
  | 'move'
  | 'remind';

const opensInTeam = ({ addressed_teams, reply_to, sidebar }: Message) =>
  addressed_teams.length > 0 && reply_to === undefined && sidebar === undefined;

/** All that can be done with a message: first what is common. */
export function MessageMenu(props: {
  message: Message;
  ask: (what: Asked) => void;
  quote: (passage?: Passage) => void;
}) {
  const { message, ask, quote } = props;
  const t = useTranslations('members.actions');
  const { me, isAdmin, setEditing, open, run: runAt } = useMessageView();
  const run = (work: () => Promise<unknown>) => runAt(message, work);
  const own = message.author.id === me.id;
  const deleted = isDeleted(message);
  const inSidebar = message.sidebar !== undefined;
  const labelOf = (emoji: string) => {
    if (hasReacted(message, emoji)) return t('takeBack', { emoji });
    return emoji === HIGH_FIVE ? t('highFive') : t('react', { emoji });
  };
  const hasMore = !deleted || message.reactions !== undefined || isEdited(message);
  const copyLink = () => copy(addressOf(message), t('linkCopied'));
  return (
    <>
      {!deleted && (
        <MenuRow>
          {OFFERED.map((emoji) => (
            <MenuRowItem
              key={emoji}
              label={labelOf(emoji)}
              pressed={hasReacted(message, emoji)}
              onSelect={() => run(() => react(message, emoji))}
            >
              {emoji}
            </MenuRowItem>
          ))}
          <MenuRowItem label={t('addReaction')} onSelect={() => ask('emoji')}>
            <SmilePlus size={18} aria-hidden />
          </MenuRowItem>
        </MenuRow>
      )}
      {isAnswerable(message) && (
        <MenuItem
          icon={<MessageSquareReply size={16} aria-hidden />}
          shortcut="R"
          onSelect={() => open(message, true)}
        >
          {t('reply')}
        </MenuItem>
      )}
      {!deleted && (
        <MenuItem icon={<Quote size={16} aria-hidden />} onSelect={() => quote()}>
          {t('quote')}
        </MenuItem>
      )}
      {isEditableBy(message, me.id) && (
        <MenuItem
          icon={<Pencil size={16} aria-hidden />}
          shortcut="E"
          onSelect={() => setEditing(message.id)}
        >
          {t('edit')}
        </MenuItem>
      )}
      {!deleted && (
        <MenuItem
          icon={message.saved ? <BookmarkX size={16} aria-hidden /> : <Bookmark size={16} aria-hidden />}
          shortcut="S"
          onSelect={() => run(() => save(message))}
        >
          {t(message.saved ? 'unsave' : 'save')}
        </MenuItem>
      )}
      {navigator.clipboard && (
        <MenuItem icon={<Link2 size={16} aria-hidden />} onSelect={() => run(copyLink)}>
          {t('copyLink')}
        </MenuItem>
      )}
      {!deleted && (
        <MenuItem
          icon={<CircleDot size={16} aria-hidden />}
          shortcut="U"
          onSelect={() => run(() => markUnread(message))}
        >
          {t('markUnread')}
        </MenuItem>
      )}
      {isMutable(message) && message.muted && (
        <MuteItems place={mutableOf(message)} muted={message.muted} run={run} />
      )}
      {isMutable(message) && !message.muted && (
        <SubMenu icon={<BellOff size={16} aria-hidden />} label={t('mute')}>
          <MuteItems place={mutableOf(message)} muted={message.muted} run={run} />
        </SubMenu>
      )}
      {hasMore && (
        <SubMenu icon={<Ellipsis size={16} aria-hidden />} label={t('others')}>
          <MoreItems message={message} ask={ask} run={run} />
        </SubMenu>
      )}
      <ShortcutItems message={message} />
      {!deleted && (own || (!inSidebar && isAdmin(message.addressed_teams[0]))) && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => ask('delete')}>
            {t('delete')}
          </MenuItem>
        </>
      )}
    </>
  );
}

/** What is rarely wanted. Of a deleted message, only who reacted is left. */
function MoreItems(props: {
  message: Message;
  ask: (what: Asked) => void;
  run: (work: () => Promise<unknown>) => unknown;
}) {
  const { message, ask, run } = props;
  const t = useTranslations('members.actions');
  const { me, isAdmin } = useMessageView();
  const own = message.author.id === me.id;
  const deleted = isDeleted(message);
  const inSidebar = message.sidebar !== undefined;
  return (
    <>
      {!deleted && (
        <>
          <MenuItem icon={<Forward size={16} aria-hidden />} onSelect={() => ask('forward')}>
            {t('forward')}
          </MenuItem>
          <MenuItem icon={<AlarmClock size={16} aria-hidden />} onSelect={() => ask('remind')}>
            {t('remind')}
          </MenuItem>
        </>
      )}
      {isPinnable(message) && (
        <MenuItem
          icon={message.pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
          shortcut="P"
          onSelect={() => run(() => pin(message))}
        >
          {t(message.pinned ? 'unpin' : 'pin')}
        </MenuItem>
      )}
      {!deleted && !inSidebar && message.addressed_application === undefined && (
        <MenuItem icon={<MessagesSquare size={16} aria-hidden />} onSelect={() => ask('sidebar')}>
          {t('sidebar')}
        </MenuItem>
      )}
      {!deleted && opensInTeam(message) && (own || isAdmin(message.addressed_teams[0])) && (
        <MenuItem icon={<Hash size={16} aria-hidden />} onSelect={() => ask('move')}>
          {t('move')}
        </MenuItem>
      )}
      {message.reactions !== undefined && (
        <MenuItem icon={<Users size={16} aria-hidden />} onSelect={() => ask('reactions')}>
          {t('reactions')}
        </MenuItem>
      )}
      {/* Without HTTPS a page may not write to the clipboard. */}
      {navigator.clipboard && message.text !== '' && (
        <MenuItem
          icon={<Copy size={16} aria-hidden />}
          onSelect={() => run(() => copy(message.text, t('textCopied')))}
        >
          {t('copyText')}
        </MenuItem>
      )}
      {message.text !== '' && matchMedia(RESTING_FINGER).matches && (
        <MenuItem icon={<TextSelect size={16} aria-hidden />} onSelect={() => ask('select')}>
          {t('selectText')}
        </MenuItem>
      )}
      {isEdited(message) && (
        <MenuItem icon={<History size={16} aria-hidden />} onSelect={() => ask('history')}>
          {t('history')}
        </MenuItem>
      )}
    </>
  );
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  tell(done);
}
