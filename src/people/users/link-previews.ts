import type { UserRow } from '#schema';
import type { SessionUser } from './user.schema.ts';

export type LinkPreviews = SessionUser['link_previews'];

const AT_FIRST: LinkPreviews = { shown: true, in_direct: false };

/** What a person wants of previews; it is kept with their preferences. */
export function linkPreviewsOf({ prefs_json }: Pick<UserRow, 'prefs_json'>): LinkPreviews {
  const { link_previews } = JSON.parse(prefs_json) as { link_previews?: Partial<LinkPreviews> };
  return { ...AT_FIRST, ...link_previews };
}
