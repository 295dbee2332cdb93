/** The rules for a value that have a text of their own: `errors.rules`. */
export type Rule =
  | 'required'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'integer'
  | 'number'
  | 'enum';

/** How the server says each of them (src/api/route/expectation.ts): what is found is the limit, or the allowed values. */
const SENTENCES: readonly (readonly [Rule, RegExp])[] = [
  ['required', /^(?:is required|must not be empty)$/],
  ['minLength', /^must be at least (\d+) characters?$/],
  ['maxLength', /^must be at most (\d+) characters?$/],
  ['minimum', /^must be at least (-?[\d.]+)$/],
  ['maximum', /^must be at most (-?[\d.]+)$/],
  ['minItems', /^must hold at least (\d+) items?$/],
  ['maxItems', /^must hold at most (\d+) items?$/],
  ['uniqueItems', /^must not hold the same item twice$/],
  ['integer', /^must be a whole number$/],
  ['number', /^must be a number$/],
  ['enum', /^must be one of (.+)$/],
];

export interface BrokenRule {
  readonly rule: Rule;
  readonly values: { readonly limit?: number; readonly allowed?: string };
}

/** @returns the rule that a sentence of the server states; undefined for a sentence that belongs to one field alone */
export function ruleOf(sentence: string): BrokenRule | undefined {
  for (const [rule, pattern] of SENTENCES) {
    const [found, given] = pattern.exec(sentence) ?? [];
    if (found === undefined) continue;
    if (given === undefined) return { rule, values: {} };
    return { rule, values: rule === 'enum' ? { allowed: given } : { limit: Number(given) } };
  }
  return undefined;
}
