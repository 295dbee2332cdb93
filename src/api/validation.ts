import Ajv, { type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { hexColor } from '#platform/text/index.ts';
import { lineKeyword } from './line-keyword.ts';

// Validators and serialisers are compiled on first use: compiling all of them would take two thirds of the start.

/** The format of a colour. */
export const COLOR = 'color';

const COMMON: Options = { allErrors: true, strict: false, verbose: true };

/** Values in an address arrive as text and are coerced to numbers and lists. */
const FROM_TEXT: Options = { ...COMMON, coerceTypes: 'array', useDefaults: true };

/** Removes undeclared fields at every depth; see declared.ts. Headers stay, because all layers read them. */
const optionsOf: Record<string, Options> = {
  body: { ...COMMON, removeAdditional: 'all' },
  querystring: { ...FROM_TEXT, removeAdditional: 'all' },
  params: { ...FROM_TEXT, removeAdditional: 'all' },
  headers: FROM_TEXT,
};

export function validatorCompiler(sharedSchemas: readonly TSchema[]) {
  const made = new Map<string, Ajv.default>();
  const ajvOf = (part: string): Ajv.default => {
    const known = made.get(part);
    if (known) return known;
    const ajv = new Ajv.default(optionsOf[part] ?? COMMON);
    addFormats.default(ajv);
    ajv.addFormat(COLOR, (text: string) => hexColor(text) !== undefined);
    ajv.addKeyword(lineKeyword);
    for (const schema of sharedSchemas) ajv.addSchema(schema);
    made.set(part, ajv);
    return ajv;
  };
  return ({ schema, httpPart = '' }: { schema: unknown; httpPart?: string }) => {
    let compiled: ValidateFunction | undefined;
    const check = (value: unknown): boolean => {
      compiled ??= ajvOf(httpPart).compile(schema as object);
      const valid = compiled(value) as boolean;
      check.errors = compiled.errors;
      return valid;
    };
    check.errors = undefined as ValidateFunction['errors'];
    return check;
  };
}

export function serializerCompiler(sharedSchemas: readonly TSchema[]) {
  const shared = Object.fromEntries(
    sharedSchemas.map((schema) => [(schema as { $id?: string }).$id, schema]),
  );
  return ({ schema }: { schema: unknown }) => {
    let compiled: ((answer: unknown) => string) | undefined;
    return (answer: unknown): string => {
      compiled ??= fastJsonStringify(schema as object, { schema: shared });
      return compiled(answer);
    };
  };
}
