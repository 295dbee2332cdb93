import { inIdList } from '#platform/db/index.ts';
import { type MessageRow, type PictureRow, statement } from '#schema';
import { type Block, picturesIn } from '../../blocks/index.ts';
import type { Message } from './message.schema.ts';
import type { CardPresenters } from './unfurl.view.ts';

/** A picture of a message's blocks. */
export type PictureView = Pick<PictureRow, 'id' | 'place_id' | 'width' | 'height'> & {
  readonly source_url: string;
};

/** The addresses of the pictures in a message's blocks, each once, in their order. */
export const picturesOf = ({ blocks_json }: Pick<MessageRow, 'blocks_json'>): string[] =>
  blocks_json === null ? [] : picturesIn(JSON.parse(blocks_json) as Block[]);

/** Those of some messages that this server has. */
export const listBlockPictures = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('pictures')
    .select(['id', 'place_id', 'width', 'height', 'source_url'])
    .where(inIdList(dialect, 'place_id', p.ids))
    .where('status', '=', 'shown')
    .where('source_url', 'is not', null)
    .$narrowType<{ source_url: string }>(),
);

export const presentPictures = (
  rows: readonly PictureView[],
  { picture }: CardPresenters,
): NonNullable<Message['pictures']> =>
  Object.fromEntries(
    rows.map(({ id, place_id, source_url, width, height }) => [
      source_url,
      { url: picture(place_id, id), width, height },
    ]),
  );
