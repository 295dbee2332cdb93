/** Marks a value that its schema leaves open: see `ByHand`. */
export const BY_HAND = 'x-by-hand';

/** The parts of JSON Schema that matter here. */
export interface Part {
  readonly [BY_HAND]?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Part>;
  readonly patternProperties?: unknown;
  readonly additionalProperties?: unknown;
  readonly items?: Part;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly enum?: unknown;
  readonly const?: unknown;
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);

export const typesOf = ({ type }: Part): readonly string[] => [type ?? []].flat();
export const isScalar = (part: Part): boolean => {
  const types = typesOf(part);
  return types.length > 0 && types.every((type) => SCALARS.has(type));
};
