/** The keyword by which a schema states what it expects, for rules that do not explain themselves. */
export const EXPECTS = 'x-expects';

/** Ajv's description of one problem. */
export interface AjvProblem {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly missingProperty?: string };
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const count = (limit: unknown, one: string) => `${limit} ${limit === 1 ? one : `${one}s`}`;

/** The web application says them in the reader's language (web/src/text/rules.ts). */
export const SENTENCES: Readonly<Record<string, (params: AjvProblem['params']) => string>> = {
  required: () => 'is required',
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => TYPES[String(name)] ?? name)
      .join(' or ')}`,
  pattern: () => 'must not contain U+0000',
  format: ({ format }) => (format === 'uuid' ? 'must be an id (a UUID)' : `must be a ${format}`),
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must be at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `must be at most ${count(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minItems: ({ limit }) => `must hold at least ${count(limit, 'item')}`,
  maxItems: ({ limit }) => `must hold at most ${count(limit, 'item')}`,
  uniqueItems: () => 'must not hold the same item twice',
};

/** Rules on the value itself. For others, such as a length, the sentence of the rule is clearer. */
const OF_VALUE = new Set(['pattern', 'format', 'enum']);

/** @returns the expectation, as a sentence that follows the field's name */
export function expectation({ keyword, message, params, parentSchema }: AjvProblem): string {
  const own = parentSchema?.[EXPECTS];
  if (typeof own === 'string' && OF_VALUE.has(keyword)) return own;
  return SENTENCES[keyword]?.(params) ?? message ?? 'is wrong';
}
