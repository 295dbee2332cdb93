import { LiveMessages } from './members/live-messages.tsx';
import { Shell } from './shell/shell.tsx';

/** Everything that somebody who is signed in sees, and what goes on behind it. */
export function SignedIn() {
  return (
    <>
      <LiveMessages />
      <Shell />
    </>
  );
}
