import { NAMES, type Who } from './people.ts';

/** The teams of the demo. The first person is an admin of each. */
export const TEAMS = {
  bakery: {
    name: 'Harbour Bakery',
    color: '#b4541a',
    icon: '🥖',
    description: 'Everybody, and everything that concerns everybody.',
    people: NAMES,
  },
  ovens: {
    name: 'Ovens & Night Shift',
    color: '#4338ca',
    icon: '🌙',
    description: 'Dough, heat, and people who are awake at four.',
    people: ['mara', 'jonas', 'aiko', 'finn'],
  },
  deliveries: {
    name: 'Deliveries',
    color: '#0f766e',
    icon: '🚲',
    description: 'Routes, orders, and the seagull.',
    people: ['mara', 'samir', 'nell', 'finn'],
  },
  shop: {
    name: 'Shop Window',
    color: '#be185d',
    icon: '🧁',
    description: 'What people see from the street.',
    people: ['mara', 'nell', 'aiko', 'tomas'],
  },
  website: {
    name: 'Website',
    color: '#1d4ed8',
    icon: '💻',
    description: 'What people see from their sofa.',
    people: ['mara', 'tomas', 'nell', 'priya'],
  },
} as const satisfies Record<
  string,
  { name: string; color: string; icon: string; description: string; people: readonly Who[] }
>;

export type TeamKey = keyof typeof TEAMS;

export const TEAM_KEYS = Object.keys(TEAMS) as readonly TeamKey[];
