/** A database that this program must not use; the message says what to do. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
}
