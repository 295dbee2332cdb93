import { expect, it } from 'vitest';
import { renamed, withSubject } from './renamed.ts';

const ada = { id: 'ada', first_name: 'Ada', last_name: 'Byron', online: true };
const user = { id: 'ada', last_name: 'Lovelace', online: false };

it('puts a new name wherever a person is named, and nothing beside it', () => {
  const ben = { ...ada, id: 'ben' };
  const naming = (name: object) => ({ pages: [{ data: [{ users: [name, ben], last: null }] }], read: 3 });
  expect(renamed(naming(ada), user)).toEqual(naming({ ...ada, last_name: 'Lovelace' }));
});

it('leaves an answer as it is that does not name the person', () => {
  const answer = { data: [{ id: 'ada' }, { user: { ...ada, id: 'ben' } }], text: 'ada' };
  expect(renamed(answer, user)).toBe(answer);
  expect(renamed(undefined, user)).toBeUndefined();
});

it('puts the new name of a subject at the messages about it', () => {
  const about = (subject: string) => ({ pages: [{ data: [{ id: 'm', subject, subject_id: 's' }] }] });
  expect(withSubject(about('Oven'), 's', 'Hum')).toEqual(about('Hum'));
  const others = about('Oven');
  expect(withSubject(others, 'other', 'Hum')).toBe(others);
});
