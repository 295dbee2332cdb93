import { Shell } from '../shell/shell.tsx';
import { LiveMessages } from './live-messages.tsx';

/** Everything that somebody who is signed in sees, and what goes on behind it. */
export function SignedIn() {
  return (
    <>
      <LiveMessages />
      <Shell />
    </>
  );
}
