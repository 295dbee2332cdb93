import { EXPECTS } from '../route/expectation.ts';
import { LINE } from '../route/line-keyword.ts';
import { BY_HAND } from '../route/part.ts';

type Part = Readonly<Record<string, unknown>>;

/**
 * A schema without our own keywords. A value that is read by hand shows the forms that it may have: validation leaves it
 * alone.
 */
export function withForms(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withForms);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { [BY_HAND]: forms, [EXPECTS]: _expects, [LINE]: _line, ...part } = schema as Part;
  const mapped = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withForms(value)]));
  if (!Array.isArray(forms) || forms.length === 0) return mapped;
  return forms.length === 1 ? { ...forms[0], ...mapped } : { ...mapped, oneOf: forms };
}
