import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { MOST_UNDO_CHARACTERS, teamUndo } from './team-undo.ts';

const undos = teamUndo(randomBytes(32));
const cursor = { userId: randomUUID(), teamId: randomUUID() };
const make = (state: object) =>
  undos.make({ ...cursor, from: 3, to: 9, upTo: 9, exceptions: [], covered: 0, ...state });

it('carries as many exceptions as fit, and none of a reading that changed nothing', () => {
  const ids = Array.from({ length: 200 }, () => randomUUID());
  const places = { from: 2 ** 40, to: 2 ** 41, upTo: 2 ** 41 };
  const text = make({ ...places, exceptions: ids }) as string;
  expect(text.length).toBeLessThan(MOST_UNDO_CHARACTERS);
  expect(undos.read(cursor, text)).toEqual({ ...places, exceptions: ids, covered: 0 });
  expect(make({ exceptions: [...ids, randomUUID()] })).toBeNull();
  expect(make({ to: 3 })).toBeNull();
  expect(make({ to: 3, exceptions: ids.slice(0, 1) })).not.toBeNull();
});

it('is read with the key, and for the reader and team, for which it was made', () => {
  const text = make({}) as string;
  expect(undos.read(cursor, text)).toBeDefined();
  expect(undos.read({ ...cursor, userId: randomUUID() }, text)).toBeUndefined();
  expect(undos.read({ ...cursor, teamId: randomUUID() }, text)).toBeUndefined();
  expect(teamUndo(randomBytes(32)).read(cursor, text)).toBeUndefined();
});
