import type { EventRow } from '#schema';

/** Who gets an event: the members of a team, one user, or that user and whoever shares a team with them. */
export type Audience =
  | { readonly team: string }
  | { readonly user: string }
  | { readonly connectionsOf: string };

/** Something that happened, as it is stored; what is sent is made from it for all who get it at once. */
export interface NewEvent {
  readonly kind: EventRow['kind'];
  readonly audience: Audience;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event in its place. */
export interface PlacedEvent {
  readonly place: number;
  readonly kind: EventRow['kind'];
  readonly audience: Audience;
  readonly data: Readonly<Record<string, unknown>>;
}
