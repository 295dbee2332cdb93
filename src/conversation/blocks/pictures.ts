import type { Block } from './shapes/blocks.ts';
import { parts } from './walk.ts';

/** @returns the addresses of the pictures that blocks show, each once, in reading order */
export function picturesIn(blocks: readonly Block[]): string[] {
  const found = new Set<string>();
  for (const { value } of parts(blocks)) if (value.type === 'image') found.add(value.image_url as string);
  return [...found];
}
