import { Component, type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Block, Message } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { nameOf } from '../../design/person.tsx';
import { MessageText } from '../text/message-text.tsx';
import { type Act, press, stateOf } from './acting.ts';
import { BlockList } from './block.tsx';
import styles from './blocks.module.css';
import { BlocksViewProvider } from './context.ts';
import { areKnown, withIds } from './ids.ts';
import { messageSurface } from './surface.ts';

/** What is known of the message that has the blocks. */
type Around = Pick<Message, 'id' | 'text' | 'mentions' | 'via_app' | 'addressed_teams'> &
  Partial<Pick<Message, 'pictures' | 'format'>> & {
    readonly author: Pick<Message['author'], 'id' | 'first_name' | 'last_name'>;
  };

export interface BlocksProps {
  readonly message: Around;
  readonly blocks: readonly unknown[];
  /** Of an earlier version: nothing in it can be pressed. */
  readonly isPast?: boolean;
  /** Where a frame around them says already whose they are. */
  readonly isFramed?: boolean;
}

/** The blocks of a message, or its text, if a newer server sent something that is not known here. */
export function MessageBlocks({ message, blocks, isPast = false, isFramed = false }: BlocksProps) {
  const text = <MessageText text={message.text} message={message} />;
  if (!areKnown(blocks)) return text;
  return (
    <OrText text={text}>
      <Shown message={message} blocks={blocks as readonly Block[]} isPast={isPast} isFramed={isFramed} />
    </OrText>
  );
}

function Shown({
  message,
  blocks: given,
  isPast,
  isFramed,
}: {
  message: Around;
  blocks: readonly Block[];
  isPast: boolean;
  isFramed: boolean;
}) {
  const { author, via_app, pictures } = message;
  const surface = messageSurface(message.id);
  const blocks = useMemo(() => withIds(given), [given]);
  // Nobody hears of clicks on what an incoming webhook brought.
  const isHeard = via_app !== null && !isPast;
  const view = {
    ...{ surface, blocks, pictures },
    // What is `{0}` in a message's text means nothing in blocks.
    message: { via_app, mentions: [], addressed_teams: message.addressed_teams },
    application: via_app ?? { id: author.id, name: nameOf(author), icon: '' },
    act: isHeard ? (act: Act) => press(surface, act, () => stateOf(surface, blocks)) : undefined,
  };
  const list = <BlockList blocks={blocks} />;
  return (
    <BlocksViewProvider value={view}>
      {isFramed ? (
        <div className={styles.framed} data-blocks>
          {list}
        </div>
      ) : (
        <Frame
          name={view.application.name}
          icon={via_app && <ApplicationIcon application={via_app} size="tiny" />}
        >
          {list}
        </Frame>
      )}
    </BlocksViewProvider>
  );
}

/** Whose words and buttons these are. Without an icon, the name of the author above says so. */
export function Frame({ name, icon, children }: { name: string; icon: ReactNode; children: ReactNode }) {
  const t = useTranslations('blocks');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={styles.frame} role="group" aria-label={t('frame', { name })} data-blocks>
      {icon && (
        <p className={styles.from}>
          {icon}
          <bdi>{name}</bdi>
        </p>
      )}
      {children}
    </div>
  );
}

interface OrTextProps {
  readonly text: ReactNode;
  readonly children: ReactNode;
}

/** Shows a message's text, where its blocks are of a form that cannot be drawn. */
class OrText extends Component<OrTextProps, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render(): ReactNode {
    return this.state.failed ? this.props.text : this.props.children;
  }
}
