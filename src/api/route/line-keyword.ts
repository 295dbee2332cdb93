import type { AnySchemaObject, FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { cleanLine } from '#platform/text/index.ts';

export const LINE = 'x-line';

interface Target {
  readonly parentData: Record<string, unknown>;
  readonly parentDataProperty: string | number;
}

const validate: SchemaValidateFunction = (
  kind: string,
  text: string,
  _?: AnySchemaObject,
  target?: Target,
) => {
  const message = problemOf(kind, text);
  if (message !== undefined) {
    validate.errors = [{ keyword: LINE, message, params: {} }];
    return false;
  }
  if (target) target.parentData[target.parentDataProperty] = cleanLine(text);
  return true;
};

function problemOf(kind: string, text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  if (kind === 'seen' && cleanLine(text) === '') return 'must not be blank';
  return undefined;
}

/** The keyword of `Line` and `Name`: replaces the text with its cleaned form. */
export const lineKeyword: FuncKeywordDefinition = {
  keyword: LINE,
  type: 'string',
  schemaType: 'string',
  modifying: true,
  errors: true,
  validate,
};
