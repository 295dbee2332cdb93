import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import styles from './form.module.css';

/** How a form is asked to close: by Escape, beside it, or by a button. */
export interface Closing {
  ask: (() => void) | undefined;
}

export function CloseButton() {
  const t = useTranslations('common');
  return (
    <Dialog.Close
      render={
        <IconButton label={t('close')} small className={styles.close as string}>
          <X size={18} aria-hidden />
        </IconButton>
      }
    />
  );
}

/** Whose form it is: nothing in it can pass for ours. */
export function Whose({ application }: { application: { id: string; name: string; icon: string } }) {
  return (
    <p className={styles.whose}>
      <ApplicationIcon application={application} size="small" />
      <bdi>{application.name}</bdi>
    </p>
  );
}
