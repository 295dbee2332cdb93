import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Blocks } from '../blocks/on-demand.tsx';
import type { Passage } from '../state/references.ts';
import { MessageText } from '../text/message-text.tsx';
import styles from './message.module.css';
import { selectedIn } from './selected-passage.ts';

/** A message's text where a finger can select a part of it: in the stream, a resting finger opens the menu. */
export function SelectDialog(props: {
  message: Message;
  onClose: () => void;
  quote: (passage: Passage | undefined) => void;
}) {
  const { message, onClose, quote } = props;
  const t = useTranslations('members.actions');
  const text = useRef<HTMLDivElement>(null);
  /** The tap on the button may end the selection. */
  const selected = useRef<Passage>(undefined);
  const note = () => {
    selected.current = selectedIn(text.current, message) ?? selected.current;
  };
  return (
    <Dialog open onClose={onClose} title={t('selectTitle')} description={t('selectHint')}>
      <div ref={text} className={styles.selectable}>
        {message.blocks ? (
          <Blocks message={message} blocks={message.blocks} isPast />
        ) : (
          <MessageText text={message.text} message={message} />
        )}
      </div>
      <Button
        onPointerDown={note}
        onClick={() => {
          note();
          onClose();
          quote(selected.current);
        }}
      >
        {t('quote')}
      </Button>
    </Dialog>
  );
}
