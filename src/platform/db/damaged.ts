export const DAMAGED =
  'It is damaged: keep a copy of it, and put a backup in its place with "parley restore FILE".';

/** The file of the embedded database is damaged. Its message is for the operator. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged';

  constructor(file: string, cause: Error) {
    super(`The database ${file} cannot be used: ${cause.message}. ${DAMAGED}`, { cause });
  }
}
