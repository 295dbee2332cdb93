import { Type } from 'typebox';
import { Value } from 'typebox/value';

export const MANIFEST = 'manifest.json';
export const DATABASE = 'parley.db';
export const FILES = 'files/';

const Names = Type.Array(Type.String());
const Manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String(),
  made_at: Type.String(),
  /** False where they are in a store of their own. */
  uploads: Type.Boolean(),
  files: Type.Integer(),
  /** Files that the database names, and that somebody deleted while the archive was made. */
  deleted: Names,
  /** Files that the database names, and that were not there although nobody deleted them. */
  lost: Names,
});

/** What stands at the end of an archive, so that an archive which has it was written to its end. */
export type Manifest = Type.Static<typeof Manifest>;

/** @returns undefined when it is none that this program knows */
export function readManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Manifest, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
