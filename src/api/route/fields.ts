import type { Static, TSchema } from 'typebox';
import { toApiError } from '../error-handler.ts';
import { validatorCompiler } from './validation.ts';

/**
 * Reads fields that come from elsewhere than HTTP by the schema of a route: what it removes or replaces is, too.
 * @throws InvalidFields
 */
export function readFields<T extends TSchema>(schema: T, given: Static<T>): Static<T> {
  const fields = structuredClone(given);
  const check = validatorCompiler([])({ schema, httpPart: 'body' });
  if (check(fields)) return fields;
  throw toApiError(Object.assign(new Error(), { validation: check.errors, validationContext: 'body' }));
}
