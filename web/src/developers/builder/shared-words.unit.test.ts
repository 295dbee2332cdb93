import { expect, it } from 'vitest';
import { sharesWord } from './shared-words.ts';

it('a text shares words with others in whatever case and with whatever accents', () => {
  expect(sharesWord('Café offen', '**CAFE** heute')).toBe(true);
  expect(sharesWord('Your parcel', 'Approve the payment')).toBe(false);
  expect(sharesWord('👍', 'Approve')).toBe(true);
});
