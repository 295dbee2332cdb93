import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureText } from '../text/failure.ts';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { hasLittleRoom } from './hands.ts';
import { Notice } from './notice.tsx';

const FIELDS = 'input, textarea, select';

/** The field to begin with: a marked one, else the first. On a touch screen, a keyboard would cover the dialog. */
function fieldOf(popup: HTMLElement | null): HTMLElement | null {
  if (!popup || hasLittleRoom()) return null;
  const first = [...popup.querySelectorAll<HTMLElement>(FIELDS)].find(isReached);
  return popup.querySelector<HTMLElement>('[data-begins]') ?? first ?? null;
}

/** Whether Tab leads there: a chooser of files that a button opens is not seen. */
const isReached = (field: HTMLElement) =>
  field.matches(':enabled') && field.tabIndex >= 0 && field.getClientRects().length > 0;

/**
 * A modal dialog: it takes the focus, returns it, and closes with Escape. The cursor is in its first field: Enter, pressed
 * once more after the key that opened it, would close it otherwise.
 */
export function DialogWindow(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  const { open, onClose, title, description, wide, children } = props;
  const t = useTranslations('common');
  const popup = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup
          ref={popup}
          className={`${styles.dialog} ${wide ? styles.wide : ''}`}
          initialFocus={() => fieldOf(popup.current)}
        >
          <div className={styles.head}>
            <BaseDialog.Title>{title}</BaseDialog.Title>
            <BaseDialog.Close
              render={
                <IconButton label={t('close')} small>
                  <X size={18} aria-hidden />
                </IconButton>
              }
            />
          </div>
          {description && (
            <BaseDialog.Description className={styles.description}>{description}</BaseDialog.Description>
          )}
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/**
 * Asks before an irreversible action.
 * @param props.act the action; when it throws, the dialog shows the error and stays open
 * @param props.from who asks, where it is somebody else
 */
export function ConfirmWindow(props: {
  open: boolean;
  onClose: () => void;
  title: string;
  description: ReactNode;
  action: string;
  act: () => Promise<unknown>;
  from?: ReactNode;
  cancel?: string;
  look?: 'primary' | 'danger';
}) {
  const { open, onClose, title, description, action, act, from, look = 'danger' } = props;
  const t = useTranslations('common');
  const failure = useFailureText();
  const mutation = useMutation({ mutationFn: act, onSuccess: onClose });
  const close = () => {
    // The next question may be about something else.
    mutation.reset();
    onClose();
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.dialog}>
          {from}
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.description} render={<div />}>
            {description}
          </AlertDialog.Description>
          {mutation.error && <Notice kind="danger">{failure(mutation.error)}</Notice>}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button>{props.cancel ?? t('cancel')}</Button>} />
            <Button look={look} busy={mutation.isPending} onClick={() => mutation.mutate()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
