import { type ComponentType, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../design/dialog.tsx';
import { onDemand } from '../design/on-demand.tsx';

const AddEmoji = onDemand(async () => (await import('./add-emoji.tsx')).AddEmoji);

type PickerProps = Parameters<typeof import('./emoji-picker.tsx').Picker>[0];

/** A choice of all emoji, to which one can add some. It is loaded when it is opened: few pages need it. */
export function EmojiDialog(props: Pick<PickerProps, 'onChoose'> & { onClose: () => void }) {
  const { onClose, onChoose } = props;
  const t = useTranslations('members.emoji');
  const [found, setFound] = useState<{
    readonly Picker?: ComponentType<PickerProps>;
    readonly error?: unknown;
  }>({});
  useEffect(() => {
    import('./emoji-picker.tsx').then(setFound, (error: unknown) => setFound({ error }));
  }, []);
  const [isAdding, setAdding] = useState(false);
  const { Picker, error } = found;
  if (error !== undefined) throw error;
  return (
    <Dialog open onClose={onClose} title={t(isAdding ? 'add.title' : 'title')}>
      {isAdding ? (
        <AddEmoji onDone={() => setAdding(false)} />
      ) : Picker ? (
        <Picker onChoose={onChoose} onAdd={() => setAdding(true)} />
      ) : (
        <p>{t('loading')}</p>
      )}
    </Dialog>
  );
}
