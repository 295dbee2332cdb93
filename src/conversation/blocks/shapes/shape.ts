import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** The shapes of Block Kit's public reference, as far as Parley shows them. Their limits are those of the reference. */

/** All schemas of this folder that have a name. */
export const blockSchemas: TSchema[] = [];

const named = new WeakMap<TSchema, string>();

function register<T extends TSchema>(id: string, schema: T): T {
  named.set(schema, id);
  blockSchemas.push(schema);
  return schema;
}

/** An object with a name of its own in the interface's description, and no other fields. */
export const part = <P extends TProperties>(id: string, properties: P) =>
  register(id, Type.Object(properties, { additionalProperties: false, $id: id }));

/** The same, told by its `type`. */
export const shape = <T extends string, P extends TProperties>(id: string, type: T, properties: P) =>
  part(id, { type: Type.Literal(type), ...properties });

/** A reference to a shape by its name. */
export const of = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({ $ref: `${named.get(schema) ?? ''}#` });

/** One of several shapes, told by its `type`: only the rules of that one are checked, so that a problem has its own path. */
export const oneOf = <const S extends readonly TObject[]>(id: string, shapes: S, description?: string) =>
  of(
    register(
      id,
      Type.Unsafe<Static<S[number]>>({
        $id: id,
        ...(description && { description }),
        type: 'object',
        required: ['type'],
        discriminator: { propertyName: 'type' },
        oneOf: shapes.map((one) => of(one)),
      }),
    ),
  );

/** A list with bounds. */
export const list = <T extends TSchema>(items: T, most: number, least = 1) =>
  Type.Array(items, { minItems: least, maxItems: most });

export const text = (most: number, least = 1) => Type.String({ minLength: least, maxLength: most });
export const optional = Type.Optional;
export const flag = Type.Optional(Type.Boolean());

export const blockId = { block_id: Type.Optional(text(255)) };
/** An address of the web, without a name and a password in it. */
export const Address = Type.Unsafe<string>({ type: 'string', maxLength: 3000, format: 'https' });
