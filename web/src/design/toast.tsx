import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import styles from './toast.module.css';

const manager = Toast.createToastManager();

/** Says for some seconds, and to a screen reader, what was done. Errors belong where they happened, not here. */
export function tell(title: string): void {
  manager.add({ title, timeout: 4000 });
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title className={styles.title} />
    </Toast.Root>
  ));
}
