import { queryOptions } from '@tanstack/react-query';
import { callOne } from './client.ts';
import { queryClient } from './queries.ts';
import type { PushSettings } from './types.ts';

export const pushSettingsQuery = queryOptions({
  queryKey: ['push', 'settings'],
  queryFn: ({ signal }) => callOne<PushSettings>('/v1/users/me/push_settings', { signal }),
  staleTime: 0,
});

export async function changePushSettings(body: Partial<PushSettings>): Promise<void> {
  const changed = await callOne<PushSettings>('/v1/users/me/push_settings', { method: 'PATCH', body });
  queryClient.setQueryData(pushSettingsQuery.queryKey, changed);
}
