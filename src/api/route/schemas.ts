import { type Static, type TSchema, Type } from 'typebox';
import { EXPECTS } from './expectation.ts';
import { LINE } from './line-keyword.ts';
import { BY_HAND } from './part.ts';

/**
 * A text field. U+0000 is refused, because PostgreSQL cannot store it.
 * @param max in characters
 */
export const Text = (max: number, options: { min?: number; description?: string } = {}) =>
  Type.String({
    maxLength: max,
    minLength: options.min ?? 0,
    pattern: '^[^\\u0000]*$',
    ...(options.description && { description: options.description }),
  });

/** One line. Invisible characters are removed (platform/text). */
export const Line = (max: number, description?: string) =>
  Type.String({ maxLength: max, [LINE]: 'any', ...(description && { description }) });

/** A line with at least one visible character. */
export const Name = (max: number, description?: string) =>
  Type.String({ maxLength: max, [LINE]: 'seen', ...(description && { description }) });

/**
 * A value of any shape. Its service reads the fields it needs, or stores the value unchanged.
 * @param forms for the documentation: each value has one of them
 */
export const ByHand = (description: string, ...forms: readonly TSchema[]) =>
  Type.Unknown({ [BY_HAND]: forms, description });

/** One of these texts. It says that it is a text, so that a list of them can be compared quickly. */
export const OneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], ...(description && { description }) }));

/** The same rules, with a custom error sentence. */
export const Expecting = <T extends TSchema>(sentence: string, schema: T) =>
  ({ ...schema, [EXPECTS]: sentence }) as T;

export const Uuid = Type.String({ format: 'uuid' });

/** The schema or null, in a form that the serialiser handles without trying alternatives. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type } = schema as unknown as { type: string };
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'] });
}

/** A reference to a shared schema by name: see `sharedSchemas` in src/app/app.ts. */
export function Shared<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: `${(schema as unknown as { $id: string }).$id}#` });
}

/** Unix time in seconds with fraction. */
export const Timestamp = Type.Number({ description: 'Unix time in seconds, with fraction' });

/** @param milliseconds since 1970 @returns seconds, as every timestamp but a membership's is sent */
export function timestamp(milliseconds: number): number {
  return milliseconds / 1000;
}

/** The query parameters of a paged list. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Items on a page, at most' })),
  cursor: Type.Optional(Text(500, { description: '`meta.next_cursor` of the page before' })),
};

export const nextCursor = {
  next_cursor: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
};
