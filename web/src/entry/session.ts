import { ApiError, call, callOne } from '../api/client.ts';
import { tellOfSession } from '../api/live.ts';
import { meQuery, queryClient, serverQuery } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { tellWorkerOfSession } from '../api/worker.ts';
import { showOnIcon } from '../design/page-title.ts';
import { forgetInTabs } from '../storage/tab.ts';
import { readLanguage } from '../text/index.tsx';

/** Signs in and remembers who it is. @throws ApiError 4010 when the address or the password is wrong */
export async function signIn(values: Record<string, string>): Promise<SessionUser> {
  return remember(await callOne<SessionUser>('/v1/sessions', { method: 'POST', body: values }));
}

/** Makes an account, and signs in to it. @param values as POST /v1/users takes them */
export async function signUp(values: Record<string, string>): Promise<SessionUser> {
  return remember(
    await callOne<SessionUser>('/v1/users', {
      method: 'POST',
      body: { ...values, language: readLanguage() },
    }),
  );
}

/**
 * Ends this session, clears the cached data, and goes to another page.
 * @param then is done between the two
 */
export async function signOut(to = '/sign-in', then = async () => {}): Promise<void> {
  try {
    await call('/v1/sessions/current', { method: 'DELETE' });
  } catch (error) {
    // If it has ended already, the goal is reached.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  await then();
  leaveFor(to);
}

/** Clears what this browser shows of a session that has ended, and goes to another page. */
export function leaveFor(to: string): void {
  forgetInTabs();
  tellOfSession();
  showOnIcon(0);
  location.assign(to);
}

/** Clears the cached data of another user, here and in the other windows. */
function remember(me: SessionUser): SessionUser {
  tellOfSession();
  void tellWorkerOfSession();
  queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, me);
  void queryClient.prefetchQuery(serverQuery);
  return me;
}
