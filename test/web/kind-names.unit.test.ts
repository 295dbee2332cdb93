import { expect, it } from 'vitest';
import { heardKinds } from '../../src/integration/subscriptions/kinds.ts';
import ar from '../../web/src/text/ar/developers.ts';
import de from '../../web/src/text/de/developers.ts';
import en from '../../web/src/text/en/developers.ts';

it.each([
  ['English', en],
  ['German', de],
  ['Arabic', ar],
])('every kind of event has a name in %s', (_, { subscriptions }) => {
  const named = Object.keys(subscriptions.kinds);
  expect(heardKinds.map((kind) => kind.replace('.', '_')).filter((key) => !named.includes(key))).toEqual([]);
});
