import { inIdList } from '#platform/db/index.ts';
import { statement, type UnfurlRow } from '#schema';
import type { Unfurl } from './message.schema.ts';

export type UnfurlCard = Pick<Unfurl, 'title' | 'text' | 'fields'>;

/** A card beside its application. */
export interface UnfurlView
  extends Pick<UnfurlRow, 'id' | 'message_id' | 'url' | 'card_json' | 'application_id'> {
  readonly name: string;
  readonly icon: string;
  readonly base_url: string;
}

/** The cards of some messages, without those that were removed. */
export const listUnfurls = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('unfurls')
    .innerJoin('applications', 'applications.id', 'unfurls.application_id')
    .select([
      'unfurls.id',
      'unfurls.message_id',
      'unfurls.url',
      'unfurls.card_json',
      'unfurls.application_id',
      'applications.name',
      'applications.icon',
      'applications.base_url',
    ])
    .where(inIdList(dialect, 'unfurls.message_id', p.ids))
    .where('unfurls.removed_at', 'is', null)
    .orderBy('unfurls.id'),
);

/** In the order of the links. */
export function presentUnfurls(
  links: readonly string[],
  rows: readonly UnfurlView[],
  iconOf: (application: { id: string; icon: string }) => string,
): Unfurl[] {
  const place = new Map(links.map((url, at) => [url, at]));
  return rows
    .toSorted((a, b) => Number(place.get(a.url)) - Number(place.get(b.url)))
    .map(({ id, url, card_json, application_id, name, icon, base_url }) => ({
      id,
      url,
      ...(JSON.parse(card_json) as UnfurlCard),
      application: {
        id: application_id,
        name,
        icon: iconOf({ id: application_id, icon }),
        url: base_url,
      },
    }));
}
