import type { Portrait } from './portrait.ts';

export interface Profile {
  readonly first_name: string;
  readonly last_name: string;
  readonly title: string;
  readonly time_zone: string;
  /** The others have the picture with their initials. */
  readonly portrait?: Portrait;
  readonly status?: { readonly emoji: string; readonly text: string };
}

/** The people of the bakery, by user name. Mara sets the server up, and hers is the account to sign in with. */
export const PEOPLE = {
  mara: {
    first_name: 'Mara',
    last_name: 'Okafor',
    title: 'Owner',
    time_zone: 'Europe/London',
    portrait: { ground: '#f3c6a5', skin: '#8d5a3b', hair: '#2b1a14', style: 'curls', clothes: '#b4541a' },
  },
  jonas: {
    first_name: 'Jonas',
    last_name: 'Lindqvist',
    title: 'Head baker',
    time_zone: 'Europe/London',
    portrait: {
      ground: '#bcd7e8',
      skin: '#f0c8a8',
      hair: '#c98d4b',
      style: 'short',
      clothes: '#f7f4ee',
      extra: 'beard',
    },
    status: { emoji: '🔥', text: 'At the oven' },
  },
  aiko: {
    first_name: 'Aiko',
    last_name: 'Tanaka',
    title: 'Pastry chef',
    time_zone: 'Europe/London',
    portrait: { ground: '#f6c9d4', skin: '#f2cfae', hair: '#241c1c', style: 'bun', clothes: '#a33b5b' },
    status: { emoji: '🍓', text: 'Strawberry season' },
  },
  samir: {
    first_name: 'Samir',
    last_name: 'Haddad',
    title: 'Deliveries',
    time_zone: 'Europe/London',
    portrait: { ground: '#c3e0cf', skin: '#c98f66', hair: '#33241c', style: 'cap', clothes: '#1f6f5c' },
    status: { emoji: '🚲', text: 'On the road until two' },
  },
  nell: {
    first_name: 'Nell',
    last_name: 'Penrose',
    title: 'Shop manager',
    time_zone: 'Europe/London',
    portrait: {
      ground: '#e9dcae',
      skin: '#f5d3bd',
      hair: '#a8401f',
      style: 'bob',
      clothes: '#3f5b8c',
      extra: 'glasses',
    },
  },
  finn: {
    first_name: 'Finn',
    last_name: 'O’Brien',
    title: 'Apprentice, night shift',
    time_zone: 'Europe/London',
    status: { emoji: '🌙', text: 'Night shift, asleep until noon' },
  },
  tomas: {
    first_name: 'Tomás',
    last_name: 'Ferreira',
    title: 'Website and photographs',
    time_zone: 'Europe/Lisbon',
    portrait: {
      ground: '#cfc6ea',
      skin: '#dba67f',
      hair: '#3a2a20',
      style: 'waves',
      clothes: '#4a3f8a',
      extra: 'glasses',
    },
  },
  priya: {
    first_name: 'Priya',
    last_name: 'Nair',
    title: 'Accounts',
    time_zone: 'Asia/Kolkata',
    portrait: { ground: '#bfe0e0', skin: '#a86f4a', hair: '#1d1614', style: 'long', clothes: '#c9822b' },
    status: { emoji: '📊', text: 'Closing the month' },
  },
} as const satisfies Record<string, Profile>;

/** A person, by user name. */
export type Who = keyof typeof PEOPLE;

export const NAMES = Object.keys(PEOPLE) as readonly Who[];

export const emailOf = (who: Who): string => `${who}@demo.example`;
