import { type ComponentProps, lazy, Suspense, useState } from 'react';

// No view starts with an open dialog, so the code of dialogs is loaded with the first one.
const load = () => import('./dialog-window.tsx');
const DialogWindow = lazy(async () => ({ default: (await load()).DialogWindow }));
const ConfirmWindow = lazy(async () => ({ default: (await load()).ConfirmWindow }));

/** A modal dialog: it takes the focus, returns it, and closes with Escape. */
export function Dialog(props: ComponentProps<typeof DialogWindow>) {
  return <Suspense>{useOnceOpen(props.open) && <DialogWindow {...props} />}</Suspense>;
}

/** Asks before an irreversible action. It shows an error of the action and stays open. */
export function Confirm(props: ComponentProps<typeof ConfirmWindow>) {
  return <Suspense>{useOnceOpen(props.open) && <ConfirmWindow {...props} />}</Suspense>;
}

/** Stays mounted once it was open, so that it can return the focus. */
function useOnceOpen(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened;
}
