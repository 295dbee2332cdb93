import { drawSign } from './picture.ts';
import type { TeamKey } from './teams.ts';

interface Hook {
  readonly name: string;
  readonly team: TeamKey;
  /** The subject of its messages, as `?subject=` behind its address names it. */
  readonly subject?: string;
  readonly colour: string;
  readonly sign: string;
}

/** Programs that post by incoming webhooks. */
export const HOOKS = {
  alerts: {
    name: 'Grafana',
    team: 'ovens',
    colour: '#d9631e',
    sign: '<path d="M58 168l42-50 36 30 62-76"/><path d="M58 206h140"/>',
  },
  orders: {
    name: 'Orders',
    team: 'deliveries',
    subject: 'Orders',
    colour: '#2f7d4f',
    sign: '<path d="M66 96h124l-12 100H78z"/><path d="M98 96c0-52 60-52 60 0"/>',
  },
  deploys: {
    name: 'Deployments',
    team: 'website',
    colour: '#374151',
    sign: '<path d="M128 58v112"/><path d="M84 102l44-44 44 44"/><path d="M70 200h116"/>',
  },
} as const satisfies Record<string, Hook>;

export type HookKey = keyof typeof HOOKS;

export const HOOK_KEYS = Object.keys(HOOKS) as readonly HookKey[];

export const signOf = ({ colour, sign }: Hook): Promise<Buffer> => drawSign(colour, sign);
