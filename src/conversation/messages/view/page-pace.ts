import type { Viewer } from '#api';
import { Pace } from '#platform/jobs/index.ts';

/** Characters of messages that are read or written in a turn of the event loop: some milliseconds. */
const PER_TURN = 500_000;
/** Counted for a message that is not read yet. Most are shorter; pages of fifty hardly ever wait. */
const ASSUMED = 2000;

type Text =
  | { readonly packed: string }
  | { readonly text: string; readonly blocks_json: string | null }
  | { readonly card_json: string };

export type PagePace = ReturnType<typeof pagePace>;

/** Pages of messages take turns: many long ones at once would keep all others waiting. */
export function pagePace() {
  const pace = new Pace(PER_TURN);
  const sourceOf = ({ userId, reach }: Viewer) => reach?.applicationId ?? userId;

  return {
    /** Waits until so many messages may be read. */
    reading: (viewer: Viewer, messages: number) => pace.turn(sourceOf(viewer), messages * ASSUMED),
    /** Waits until those that have been read may be written. */
    writing: (viewer: Viewer, rows: readonly Text[]) => pace.turn(sourceOf(viewer), lengthOf(rows), true),
  };
}

const lengthOf = (rows: readonly Text[]) => rows.reduce((sum, row) => sum + lengthOfOne(row), 0);

function lengthOfOne(row: Text): number {
  if ('packed' in row) return row.packed.length;
  if ('card_json' in row) return row.card_json.length;
  return row.text.length + (row.blocks_json?.length ?? 0);
}
