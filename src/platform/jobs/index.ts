export { type Rounds, startRounds } from './rounds.ts';
