import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';
import { renewDevice } from '../account/push-device.ts';
import { startWindowNotices } from '../account/window-notices.ts';
import { writeAs } from '../api/client.ts';
import { onLive } from '../api/live.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import { OpenForms } from '../members/forms/on-demand.tsx';
import { LiveMessages } from '../members/state/live-messages.tsx';
import { restoreForms } from '../members/state/open-forms.ts';
import { restorePresses } from '../members/state/presses.ts';
import { Shell } from '../shell/shell.tsx';

/** The frame of all views that need a session, and their background work. */
export function SignedIn() {
  const { data: user } = useQuery({ ...meQuery, select: (me) => me?.id ?? null });
  useSession(user);
  useRenewedDevice(user);
  useEffect(() => {
    if (!user) return;
    restoreForms(user);
    restorePresses(user);
  }, [user]);
  if (user !== reader) return null;
  return (
    <>
      <LiveMessages />
      <Shell />
      <OpenForms />
    </>
  );
}

/** Whose page this is: what its modules remember is theirs. */
let reader: string | undefined;

/**
 * A session may end elsewhere: in another window, by a new password. The user then signs in and returns. If another
 * user has signed in meanwhile, all that this page has is cleared, and until then nothing is written in their name.
 */
function useSession(user: string | null | undefined): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  reader ??= user ?? undefined;
  // Before the outbox begins to send.
  useLayoutEffect(() => {
    writeAs(reader);
    return () => writeAs(undefined);
  }, []);
  useEffect(() => onLive('refused', askWhoIsSignedIn), []);
  useEffect(() => {
    if (user === null)
      void navigate({ to: '/sign-in', search: { next: history.location.href }, replace: true });
    else if (user !== reader) location.reload();
  }, [user, navigate, history]);
}

/** The browser's notifications belong to the session: after signing in again they go on. */
function useRenewedDevice(user: string | null | undefined): void {
  useEffect(() => {
    if (!user) return;
    void renewDevice(user);
    return startWindowNotices(user);
  }, [user]);
}

const askWhoIsSignedIn = () => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
