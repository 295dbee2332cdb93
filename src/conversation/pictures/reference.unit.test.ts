import { expect, it } from 'vitest';
import { pictureReferences } from './reference.ts';

const place = { kind: 'message', id: '019a0000-0000-7000-8000-000000000001' } as const;
const picture = '019a0000-0000-7000-8000-00000000fffe';
const references = pictureReferences(Buffer.alloc(32, 1));

it('names the picture and what shows it', () => {
  const reference = references.write(place, picture);
  expect(reference).toMatch(/^[\w-]+$/);
  expect(references.read(reference)).toEqual({ place, pictureId: picture });
});

it('is good only as this server wrote it', () => {
  const reference = references.write(place, picture);
  const changed = [...reference].map(
    (one, at) => reference.slice(0, at) + (one === 'A' ? 'B' : 'A') + reference.slice(at + 1),
  );
  for (const other of [
    ...changed,
    '',
    'm',
    `${reference}A`,
    pictureReferences(Buffer.alloc(32, 2)).write(place, picture),
  ])
    expect(references.read(other)).toBeUndefined();
});
