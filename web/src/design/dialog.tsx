import { type ComponentProps, lazy, Suspense, useState } from 'react';

// No view begins with a window above it: what makes one is fetched when the first is opened.
const load = () => import('./dialog-window.tsx');
const DialogWindow = lazy(async () => ({ default: (await load()).DialogWindow }));
const ConfirmWindow = lazy(async () => ({ default: (await load()).ConfirmWindow }));

/** A window above the view: it takes the focus, gives it back, and closes with Escape. */
export function Dialog(props: ComponentProps<typeof DialogWindow>) {
  return <Suspense>{useOnceOpen(props.open) && <DialogWindow {...props} />}</Suspense>;
}

/** Asks before something is done that cannot be undone; what that throws is shown, and the question stays. */
export function Confirm(props: ComponentProps<typeof ConfirmWindow>) {
  return <Suspense>{useOnceOpen(props.open) && <ConfirmWindow {...props} />}</Suspense>;
}

/** Once it was open it stays, to go back to where it came from. */
function useOnceOpen(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened;
}
