import { createHash } from 'node:crypto';
import type { Block } from './shapes/blocks.ts';
import { ELEMENTS, parts } from './walk.ts';

/**
 * Gives ids to what people press or choose, and to the blocks around it, where the sender gave none. They follow from the
 * content: an update that leaves a part as it is keeps what somebody chose there, and no id leads to another part.
 */
export function withIds(blocks: readonly Block[]): readonly Block[] {
  if (!lacksAny(blocks)) return blocks;
  const copy = structuredClone(blocks) as Block[];
  const taken = new Set([...parts(copy)].flatMap(({ value }) => [value.block_id, value.action_id]));
  const counts = new Map<string, number>();
  for (const { value } of parts(copy)) {
    const part = value as { block_id?: string; action_id?: string; type: string };
    if (ELEMENTS.has(part.type)) part.action_id ??= idOf(part, taken, counts);
    else if (holdsElements(part)) part.block_id ??= idOf(part, taken, counts);
  }
  return copy;
}

const lacksAny = (blocks: readonly Block[]): boolean =>
  [...parts(blocks)].some(({ value }) =>
    ELEMENTS.has(value.type)
      ? value.action_id === undefined
      : value.block_id === undefined && holdsElements(value),
  );

/** Whether something that can be pressed stands directly in it. */
const holdsElements = (part: object): boolean => {
  const { elements, accessory, element, actions } = part as Record<string, unknown>;
  return [elements, accessory, element, actions]
    .flat()
    .some((one) => ELEMENTS.has((one as { type?: string })?.type ?? ''));
};

/** @param counts how often a content came: the same ones would try each other's ids one after the other */
function idOf(part: object, taken: Set<unknown>, counts: Map<string, number>): string {
  const content = JSON.stringify(part);
  for (let count = counts.get(content) ?? 0; ; count++) {
    const id = createHash('sha256').update(`${count}${content}`).digest('base64url').slice(0, 8);
    if (taken.has(id)) continue;
    taken.add(id);
    counts.set(content, count + 1);
    return id;
  }
}
