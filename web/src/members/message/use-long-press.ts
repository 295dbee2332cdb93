import { type MouseEvent, type PointerEvent, type TouchEvent, useEffect, useRef } from 'react';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How long a finger rests, and how far it may move meanwhile, in CSS pixels. */
const LONG_MS = 450;
const STILL = 10;
/** Browsers have menus of their own for links and pictures; fields and players use the gesture themselves. */
const OTHERS = 'a, img, input, textarea, video, audio';

/** A finger that rests on an element acts there; one that scrolls, swipes or taps does not. Mice and keys do nothing. */
export function useLongPress(act: (at: Point) => void) {
  const waiting = useRef<{ readonly at: Point; readonly timer: ReturnType<typeof setTimeout> }>(undefined);
  const acted = useRef(false);
  const end = () => {
    clearTimeout(waiting.current?.timer);
    waiting.current = undefined;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is gone
  useEffect(() => end, []);
  const fire = () => {
    const { current } = waiting;
    end();
    if (!current) return;
    acted.current = true;
    act(current.at);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      end();
      acted.current = false;
      const target = event.target as Element;
      // React passes on what happens in a menu or a dialog of the element, too.
      if (event.pointerType !== 'touch' || !event.isPrimary || !event.currentTarget.contains(target)) return;
      if (target.closest(OTHERS)) return;
      const at = { x: event.clientX, y: event.clientY };
      waiting.current = { at, timer: setTimeout(fire, LONG_MS) };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const at = waiting.current?.at;
      if (at && Math.hypot(event.clientX - at.x, event.clientY - at.y) > STILL) end();
    },
    onPointerUp: end,
    // The browser scrolls instead.
    onPointerCancel: end,
    // Without it, lifting the finger is a click: outside of the menu, or on what stands in it.
    onTouchEnd: (event: TouchEvent<HTMLElement>) => {
      if (acted.current) event.preventDefault();
    },
    // Android's own long press, which would select a word.
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if (!waiting.current && !acted.current) return;
      event.preventDefault();
      fire();
    },
  };
}
