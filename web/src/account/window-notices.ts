import { onLive } from '../api/live.ts';
import { pushSettingsQuery } from '../api/push-settings.ts';
import { queryClient } from '../api/queries.ts';
import { keepPreference, readPreference } from '../storage/preferences.ts';

/** Whose notifications the windows of this browser show, where it has no push service within reach. */
const OWNER = 'windows';
/** Another device may have changed the settings. */
const SETTINGS_HOLD_MS = 60_000;

export const windowsTell = (userId: string | undefined): boolean =>
  userId !== undefined && readPreference(OWNER) === userId;

/** @param userId null for no one */
export const letWindowsTell = (userId: string | null): void => keepPreference(OWNER, userId);

type Heard = { kind: 'news'; conversation: string } | { kind: 'read' };
type Created = Parameters<Parameters<typeof onLive<'message.created'>>[1]>[0]['message'];

/** Passes what this window hears to the worker, which shows it once for all windows. @returns a function that ends it */
export function startWindowNotices(userId: string): () => void {
  const pass = (heard: Heard) => {
    // A window that was loaded past the worker is not controlled by it, but reaches it.
    if (windowsTell(userId))
      void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(heard));
  };
  const again = () => pass({ kind: 'read' });
  const ends = [
    onLive('inbox', ({ conversation }) => pass({ kind: 'news', conversation })),
    onLive('message.created', async ({ message }) => {
      const team = streamOf(message);
      if (team === undefined || message.author?.id === userId || !windowsTell(userId)) return;
      if (await isFollowed(team)) pass({ kind: 'news', conversation: team });
    }),
    onLive('read', again),
    onLive('mute', again),
    onLive('message.state', again),
    onLive('message.updated', ({ message: { author, events } }) => {
      // It is gone, or its author is hidden from the reader.
      if (author === undefined || events?.at(-1)?.type === 'deleted') again();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The team in whose stream a message stands. */
const streamOf = ({ addressed_teams, reply_to, sidebar }: Created): string | undefined =>
  reply_to === undefined && sidebar === undefined ? addressed_teams?.[0] : undefined;

/** Whether the reader wants to be told of every message of a team. */
async function isFollowed(team: string): Promise<boolean> {
  const asked = queryClient.fetchQuery({ ...pushSettingsQuery, staleTime: SETTINGS_HOLD_MS });
  const settings = await asked.catch(() => undefined);
  const level = settings?.teams.find((one) => one.team === team)?.level ?? settings?.team_default;
  return level === 'all';
}
