import { RangeNotSatisfiable } from '#api';
import type { ByteRange } from '#platform/files/index.ts';

/**
 * Reads the header `Range` (RFC 9110 §14.2). Several ranges, and what is no range of bytes, count as none: a server may
 * answer with the whole.
 * @throws RangeNotSatisfiable
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first >= size || (from === '' && Number(to) === 0)) throw new RangeNotSatisfiable();
  return { first, last };
}
