import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { onLive } from '../api/live.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import { LiveMessages } from '../members/state/live-messages.tsx';
import { Shell } from '../shell/shell.tsx';

/** The frame of all views that need a session, and their background work. */
export function SignedIn() {
  const { data: user } = useQuery({ ...meQuery, select: (me) => me?.id ?? null });
  useSession(user);
  if (user === null) return null;
  return (
    <>
      <LiveMessages />
      <Shell />
    </>
  );
}

/**
 * A session may end elsewhere: in another window, by a new password. The user then signs in and returns. If another
 * user has signed in meanwhile, all cached data is cleared.
 */
function useSession(user: string | null | undefined): void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const first = useRef(user);
  useEffect(() => onLive('refused', askWhoIsSignedIn), []);
  useEffect(() => {
    if (user === null)
      void navigate({ to: '/sign-in', search: { next: history.location.href }, replace: true });
    else if (user !== first.current) location.reload();
  }, [user, navigate, history]);
}

const askWhoIsSignedIn = () => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
