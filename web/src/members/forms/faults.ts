import { ApiError } from '../../api/client.ts';
import type { Block } from '../../api/types.ts';

/** By the ids of blocks. */
export type Faults = Readonly<Record<string, string>>;

/** The blocks with a field, also those in containers. */
const inputsIn = (blocks: readonly Block[]) =>
  blocks
    .flatMap((block) => (block.type === 'container' ? block.child_blocks : [block]))
    .flatMap((block) => (block.type === 'input' ? [block] : []));

/**
 * @param error of a submission that the server refused
 * @returns what the server says of a field, by the id of its block; `others` is whether it says something of none
 */
export function refusedIn(error: unknown, blocks: readonly Block[]): { faults: Faults; others: boolean } {
  const said = error instanceof ApiError ? Object.entries(error.fields) : [];
  // Ids may have points in them: each field has its path looked up, and no path is taken apart.
  const paths = new Map<string, string>(
    inputsIn(blocks).flatMap(({ block_id = '', element }) => {
      const { action_id = '' } = element as { action_id?: string };
      return [
        [`state.${block_id}.${action_id}`, block_id],
        [`state.${block_id}`, block_id],
      ] as const;
    }),
  );
  const faults = said.flatMap(([path, message]) => {
    const block = paths.get(path);
    return block === undefined ? [] : [[block, message] as const];
  });
  return { faults: Object.fromEntries(faults), others: faults.length < said.length };
}

/** A value that a form does not take, as the server says it (src/conversation/blocks/act.ts). */
const SENTENCES = [
  ['length', /^must have (\d+) to (\d+) characters$/],
  ['least', /^must not be below (-?[\d.]+)$/],
  ['most', /^must not be above (-?[\d.]+)$/],
  ['email', /^must be an email address$/],
  ['address', /^must be an http or https address$/],
] as const;

/** @returns undefined for a sentence that is not about values of a form alone */
export function ruleOfForm(sentence: string) {
  for (const [rule, pattern] of SENTENCES) {
    const [found, first = '', second = ''] = pattern.exec(sentence) ?? [];
    if (found !== undefined) return { rule, values: { first, second } };
  }
  return undefined;
}

/** Whether a submission was refused for what is in the fields. */
export const isOfFields = (error: unknown): boolean =>
  error instanceof ApiError && Object.keys(error.fields).some((path) => path.startsWith('state.'));

/** The blocks that stand in a form, and can show an error. */
export const blockIdsIn = (blocks: readonly Block[]): ReadonlySet<string> =>
  new Set(
    blocks.flatMap((block) => {
      const inner = block.type === 'container' ? block.child_blocks : [block];
      return inner.filter(({ type }) => ['input', 'section', 'actions'].includes(type)).map(idOf);
    }),
  );

const idOf = ({ block_id = '' }: Block): string => block_id;
