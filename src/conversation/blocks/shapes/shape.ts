import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** The shapes of Block Kit's public reference, as far as Parley shows them. Their limits are those of the reference. */

const closed = { additionalProperties: false } as const;

/** An object that is told by its `type`, and has no other fields. */
export const shape = <T extends string, P extends TProperties>(id: string, type: T, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties }, { ...closed, $id: id });

/** An object within another one. */
export const part = <P extends TProperties>(properties: P) => Type.Object(properties, closed);

/** One of several shapes, told by its `type`: only the rules of that one are checked, so that a problem has its own path. */
export function oneOf<const S extends readonly TObject[]>(
  shapes: S,
  options: { $id?: string; description?: string } = {},
) {
  return Type.Unsafe<Static<S[number]>>({
    ...options,
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: shapes.map((one) => ({ $ref: `${(one as { $id?: string }).$id}#` })),
  });
}

/** A list with bounds. */
export const list = <T extends TSchema>(items: T, most: number, least = 1) =>
  Type.Array(items, { minItems: least, maxItems: most });

export const text = (most: number, least = 1) => Type.String({ minLength: least, maxLength: most });
export const optional = Type.Optional;
export const flag = Type.Optional(Type.Boolean());

export const blockId = { block_id: Type.Optional(text(255)) };
/** An address of the web, without a name and a password in it. */
export const Address = Type.Unsafe<string>({ type: 'string', maxLength: 3000, format: 'https' });
