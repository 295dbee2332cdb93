import { type PointerEvent, useRef } from 'react';

/** How far a finger has to go, in CSS pixels, and from where on it moves the row. */
const ENOUGH = 96;
const BEGINS = 12;
/** How long a phone says that this is enough. */
const FELT_MS = 8;

/** Moves a row sideways under a finger; beyond a point, letting go does the work. */
export function useSwipe(work: (() => void) | undefined) {
  const start = useRef<{ readonly x: number; readonly id: number } | undefined>(undefined);
  const by = useRef(0);
  const place = (row: HTMLElement, x: number) => {
    by.current = x;
    const isFar = Math.abs(x) >= ENOUGH;
    if (isFar && !row.hasAttribute('data-swiped')) navigator.vibrate?.(FELT_MS);
    row.style.transform = x === 0 ? '' : `translateX(${x}px)`;
    row.style.setProperty('--pulled', String(Math.min(1, Math.abs(x) / ENOUGH)));
    row.toggleAttribute('data-pulled', x !== 0);
    row.toggleAttribute('data-swiped', isFar);
  };
  const end = (row: HTMLElement) => {
    start.current = undefined;
    place(row, 0);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { currentTarget: row, target, pointerType, pointerId: id } = event;
      if (pointerType !== 'touch' || !work || start.current) return;
      // A dialog belongs to the row for React, and is no part of it on the screen.
      if (row.contains(target as Node)) start.current = { x: event.clientX, id };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { currentTarget: row, clientX, clientY } = event;
      if (start.current?.id !== event.pointerId) return;
      const { top, bottom } = row.getBoundingClientRect();
      // The finger has left the row: the reader means another one, or none.
      if (clientY < top || clientY > bottom) return end(row);
      const x = clientX - start.current.x;
      place(row, Math.abs(x) >= BEGINS ? x : 0);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (start.current?.id !== event.pointerId) return;
      const isFar = Math.abs(by.current) >= ENOUGH;
      end(event.currentTarget);
      if (isFar) work?.();
    },
    // The browser scrolls instead.
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      if (start.current?.id === event.pointerId) end(event.currentTarget);
    },
  };
}
