import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { noteJump } from '../design/hands.ts';
import { type Destination, useFoundDestinations } from './destinations.tsx';
import styles from './jump.module.css';

/** Ctrl-K: goes to any view, team, person or search by keyboard. */
export function Jump({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('shell');
  // The field to write in takes the focus; otherwise what had it before has it again.
  const leaving = useRef(false);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={t('jump')} finalFocus={() => !leaving.current}>
          <Destinations onClose={onClose} leaving={leaving} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Destinations({ onClose, leaving }: { onClose: () => void; leaving: RefObject<boolean> }) {
  const t = useTranslations('shell');
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const groups = useFoundDestinations(text);
  const go = (destination: Destination) => {
    if (destination.isWrittenTo && destination.href !== location.pathname) {
      noteJump();
      leaving.current = true;
    }
    onClose();
    destination.run?.();
    // What is open beside the messages stays.
    if (destination.run && destination.href === location.pathname) return;
    void navigate({ href: destination.href });
  };
  return (
    <Autocomplete.Root
      open
      inline
      // The items are filtered already.
      mode="none"
      items={groups}
      value={text}
      onValueChange={setText}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={(destination: Destination) => destination.label}
    >
      <div className={styles.field}>
        <Search size={18} aria-hidden />
        <Autocomplete.Input className={styles.input} aria-label={t('jump')} placeholder={t('jumpHint')} />
      </div>
      <Autocomplete.Empty className={styles.empty}>{t('jumpNothing')}</Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(group: { value: string; items: Destination[] }) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className={styles.label}>{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(destination: Destination) => (
                <Autocomplete.Item
                  key={destination.key ?? destination.href}
                  value={destination}
                  className={styles.item}
                  onClick={() => go(destination)}
                >
                  {destination.icon}
                  <span>{destination.label}</span>
                  {destination.detail && (
                    <span className={styles.detail}>
                      <bdi>{destination.detail}</bdi>
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
