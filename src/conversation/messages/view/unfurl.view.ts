import { inIdList } from '#platform/db/index.ts';
import { statement, type UnfurlRow } from '#schema';
import type { Unfurl } from './message.schema.ts';

export type UnfurlCard = Pick<Unfurl, 'title' | 'text' | 'fields' | 'blocks'>;

/** The stored preview of a foreign page. */
export interface PageCard extends UnfurlCard {
  readonly host: string;
  readonly site: string;
  /** The size of its picture, where it has one. */
  readonly picture?: { readonly width: number; readonly height: number };
}

/** A card beside its application. */
export interface UnfurlView
  extends Pick<UnfurlRow, 'id' | 'message_id' | 'url' | 'card_json' | 'application_id' | 'picture_id'> {
  readonly name: string | null;
  readonly icon: string | null;
  readonly base_url: string | null;
}

/** Presenters of other domains for the parts of a card. */
export interface CardPresenters {
  /** The icon of an application, as clients get it. */
  readonly icon: (application: { id: string; icon: string }) => string;
  /** The address of a picture, for those who see the message. */
  readonly picture: (messageId: string, pictureId: string) => string;
}

/** The cards of some messages, without those that were removed. */
export const listUnfurls = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('unfurls')
    .leftJoin('applications', 'applications.id', 'unfurls.application_id')
    .select([
      'unfurls.id',
      'unfurls.message_id',
      'unfurls.url',
      'unfurls.card_json',
      'unfurls.application_id',
      'unfurls.picture_id',
      'applications.name',
      'applications.icon',
      'applications.base_url',
    ])
    .where(inIdList(dialect, 'unfurls.message_id', p.ids))
    .where('unfurls.removed_at', 'is', null)
    .orderBy('unfurls.id'),
);

/** In the order of the links. An application's card stands for the page of the same link. */
export function presentUnfurls(
  links: readonly string[],
  rows: readonly UnfurlView[],
  others: CardPresenters,
): Unfurl[] {
  const place = new Map(links.map((url, at) => [url, at]));
  const own = new Set(rows.filter((row) => row.application_id !== null).map(({ url }) => url));
  return rows
    .filter((row) => row.application_id !== null || !own.has(row.url))
    .toSorted((a, b) => Number(place.get(a.url)) - Number(place.get(b.url)))
    .map((row) =>
      row.application_id === null ? pageOf(row, others) : cardOf(row, row.application_id, others),
    );
}

function cardOf(row: UnfurlView, id: string, { icon }: CardPresenters): Unfurl {
  const application = {
    id,
    name: row.name ?? '',
    icon: icon({ id, icon: row.icon ?? '' }),
    url: row.base_url ?? '',
  };
  return { id: row.id, url: row.url, ...(JSON.parse(row.card_json) as UnfurlCard), application };
}

function pageOf({ id, url, message_id, picture_id, card_json }: UnfurlView, others: CardPresenters): Unfurl {
  const { picture: size, ...card } = JSON.parse(card_json) as PageCard;
  const picture = size && picture_id !== null && { url: others.picture(message_id, picture_id), ...size };
  return { id, url, ...card, application: null, ...(picture && { picture }) };
}
