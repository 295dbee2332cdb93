import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the distance to the end when the scroller's height changes: by the window, a growing draft, a banner or the
 * keyboard of a phone. What was above the composer stays above it.
 * @param toEnd scrolls to the end
 * @param threshold within this distance the reader is at the end
 * @returns leads to the end, also if the height changes in the same moment: a sent draft gives its room back
 */
export function useKeptEnd(
  scroller: RefObject<HTMLElement | null>,
  threshold: number,
  toEnd: () => void,
  paused = false,
): () => void {
  const latest = useRef({ toEnd, paused });
  const distance = useRef(0);
  latest.current = { toEnd, paused };
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let height = element.clientHeight;
    const note = () => {
      distance.current = element.scrollHeight - element.scrollTop - element.clientHeight;
    };
    // A scroll event of the resize itself comes before the observer.
    const onScroll = () => element.clientHeight === height && note();
    const observer = new ResizeObserver(() => {
      const before = height;
      height = element.clientHeight;
      if (height !== before && !latest.current.paused) {
        if (distance.current <= threshold) latest.current.toEnd();
        // Not by the distance: more may have been read below in the same moment.
        else element.scrollTop += before - height;
      }
      note();
    });
    note();
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, threshold]);
  return () => {
    distance.current = 0;
    toEnd();
  };
}
