import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { hexColor } from '#platform/text/index.ts';
import { beyondBounds } from './bounds.ts';
import { lineKeyword } from './line-keyword.ts';
import type { Part } from './part.ts';

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

/** The functions compiled with one set of shared schemas: routes and servers with equal schemas share them. */
interface Compiled {
  readonly validators: Map<string, ValidateFunction>;
  readonly serializers: Map<string, (answer: unknown) => string>;
  readonly ajvs: Map<string, Ajv.default>;
}

const compiled = new Map<string, Compiled>();

const compiledWith = (sharedSchemas: readonly TSchema[]): Compiled =>
  once(compiled, JSON.stringify(sharedSchemas), () => ({
    validators: new Map(),
    serializers: new Map(),
    ajvs: new Map(),
  }));

/** The value of a key, made when it is missing. */
function once<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

function newAjv(part: string, sharedSchemas: readonly TSchema[]): Ajv.default {
  const ajv = new Ajv.default(optionsOf[part] ?? COMMON);
  addFormats.default(ajv);
  ajv.addFormat(COLOR, (text: string) => hexColor(text) !== undefined);
  ajv.addKeyword(lineKeyword);
  for (const schema of sharedSchemas) ajv.addSchema(schema);
  return ajv;
}

export function validatorCompiler(sharedSchemas: readonly TSchema[]) {
  const { validators, ajvs } = compiledWith(sharedSchemas);
  return ({ schema, httpPart = '' }: { schema: unknown; httpPart?: string }) => {
    const compile = () => {
      const ajv = once(ajvs, httpPart, () => newAjv(httpPart, sharedSchemas));
      return once(validators, httpPart + JSON.stringify(schema), () => ajv.compile(schema as object));
    };
    let validate: ValidateFunction | undefined;
    const check = (value: unknown): boolean => {
      const problems = beyondBounds(schema as Part, value);
      if (problems.length > 0) {
        check.errors = problems as ErrorObject[];
        return false;
      }
      validate ??= compile();
      const valid = validate(value) as boolean;
      check.errors = validate.errors;
      return valid;
    };
    check.errors = undefined as ValidateFunction['errors'];
    return check;
  };
}

export function serializerCompiler(sharedSchemas: readonly TSchema[]) {
  const { serializers } = compiledWith(sharedSchemas);
  const schema = Object.fromEntries(
    sharedSchemas.map((schema) => [(schema as { $id?: string }).$id, schema]),
  );
  return (route: { schema: unknown }) => {
    let serialize: ((answer: unknown) => string) | undefined;
    return (answer: unknown): string => {
      serialize ??= once(serializers, JSON.stringify(route.schema), () =>
        fastJsonStringify(route.schema as object, { schema }),
      );
      return serialize(answer);
    };
  };
}
