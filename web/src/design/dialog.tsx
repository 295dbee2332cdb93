import { type ComponentProps, useState } from 'react';
import { onDemand } from './on-demand.tsx';

const load = () => import('./dialog-window.tsx');
const DialogWindow = onDemand(async () => (await load()).DialogWindow);
const ConfirmWindow = onDemand(async () => (await load()).ConfirmWindow);

/** A modal dialog: it takes the focus, returns it, and closes with Escape. */
export function Dialog(props: ComponentProps<typeof DialogWindow>) {
  return useOnceOpen(props.open) && <DialogWindow {...props} />;
}

/** Asks before an irreversible action. It shows an error of the action and stays open. */
export function Confirm(props: ComponentProps<typeof ConfirmWindow>) {
  return useOnceOpen(props.open) && <ConfirmWindow {...props} />;
}

/** Stays mounted once it was open, so that it can return the focus. */
function useOnceOpen(open: boolean): boolean {
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return opened;
}
