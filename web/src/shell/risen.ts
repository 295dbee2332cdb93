import { useRef } from 'react';

/**
 * Puts what has something new first, and leaves the rest in its order. The place where one is keeps its rank until one
 * goes elsewhere: it would leave from under the pointer as it is read.
 */
export function useNewsFirst<T>(
  places: readonly T[],
  of: { id: (place: T) => string; hasNews: (place: T) => boolean; isCurrent: (place: T) => boolean },
): T[] {
  const before = useRef<ReadonlySet<string>>(new Set());
  const isFirst = (place: T) =>
    of.hasNews(place) || (of.isCurrent(place) && before.current.has(of.id(place)));
  const first = places.filter(isFirst);
  // A set of the same content each time it is made from the same places: rendering twice changes nothing.
  before.current = new Set(first.map(of.id));
  return [...first, ...places.filter((place) => !first.includes(place))];
}
