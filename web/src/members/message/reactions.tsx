import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import { nameOf, PersonChip } from '../../design/person.tsx';
import { Loaded } from '../../design/states.tsx';
import { EmojiSign, emojiText } from '../../emoji/custom-emoji-image.tsx';
import { useNameList } from '../../text/names.ts';
import { isDeleted } from '../state/message-list.ts';
import { allGivenQuery, givenQuery, HIGH_FIVE, isSame, type Reaction, react } from '../state/reactions.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './message.module.css';

/** How many people a hint names; the others are counted. */
const NAMED = 10;

/** A button for each emoji with which people reacted. */
export const Reactions = ({ message }: { message: Message }) =>
  message.reactions?.map((reaction) => <Toggle key={reaction.emoji} message={message} reaction={reaction} />);

/** Gives a reaction that is there, or takes it back. Names the people while it is hovered or focused. */
function Toggle({ message, reaction }: { message: Message; reaction: Reaction }) {
  const t = useTranslations('members.message');
  const view = useMessageView();
  const [wanted, setWanted] = useState(false);
  const names = useNames(message, reaction, wanted);
  const { emoji, num, mine } = reaction;
  const count = isSame(emoji, HIGH_FIVE)
    ? t('highFives', { count: num })
    : t('reaction', { emoji: emojiText(emoji), count: num });
  return (
    <button
      type="button"
      className={styles.chip}
      data-hint={names ?? '…'}
      aria-pressed={mine === true}
      aria-label={names === undefined ? count : `${count}: ${names}`}
      disabled={isDeleted(message)}
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onClick={() => view.run(message, () => react(message, emoji))}
    >
      <span className={styles.emoji} aria-hidden>
        <EmojiSign emoji={emoji} />
      </span>
      {num}
    </button>
  );
}

/** @returns the people of a reaction; undefined as long as they are not known */
function useNames({ id }: Message, reaction: Reaction, wanted: boolean): string | undefined {
  const t = useTranslations('members.people');
  const list = useNameList();
  const { data } = useQuery({ ...givenQuery(id, reaction), enabled: wanted });
  if (!data) return undefined;
  const names = data.slice(0, NAMED).map(({ user }) => nameOf(user));
  const rest = Math.max(reaction.num, data.length) - names.length;
  return list(rest > 0 ? [...names, t('more', { count: rest })] : names);
}

/** The same as a dialog: for touch screens, and for many names. */
export function ReactionsDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.people');
  const actions = useTranslations('members.actions');
  const query = useQuery(allGivenQuery(message));
  const total = message.reactions?.reduce((sum, { num }) => sum + num, 0) ?? 0;
  const rest = total - (query.data?.length ?? 0);
  return (
    <Dialog open onClose={onClose} title={actions('reactionsTitle')}>
      <Loaded query={query} rows={2}>
        {(given) => (
          <ul className={styles.givers}>
            {given.map((one) => (
              <li key={`${one.user.id} ${one.emoji}`}>
                <span className={styles.emoji}>
                  <EmojiSign emoji={one.given} />
                </span>
                <PersonChip person={one.user} />
              </li>
            ))}
            {rest > 0 && <li className={styles.soft}>{t('more', { count: rest })}</li>}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}
