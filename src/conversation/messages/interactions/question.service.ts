import { hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { InteractionRow } from '#schema';
import {
  asksForOptions,
  type Block,
  type Offer,
  type Offered,
  type Question,
  readQuestion,
  valuesIn,
} from '../../blocks/index.ts';
import { findOffer, listOffered, setOptions } from './interaction.store.ts';
import { begin, type Publish, presentInteraction, type ShownInteraction, type Surface } from './surface.ts';

/** How long an application has time to offer options. */
export const OPTIONS_WITHIN_MS = 3000;
/** How long the same question of the same person has the same answer. */
export const OFFERED_FOR_MS = 5 * 60_000;
/** Questions of a person whose options can still be chosen, of one surface. */
const MOST_REMEMBERED = 20;

export interface ShownOffer extends ShownInteraction, Offer {}

export type QuestionService = ReturnType<typeof questionService>;

/** Asks applications for the options of an `external_select`, as a person types. */
export function questionService(deps: {
  clock: Clock;
  publish: Publish;
  /** @throws NotAllowed for an application that does not hear of this team */
  expectHearing: (tx: Tx, application: string, team: string) => Promise<void>;
}) {
  const { clock, publish, expectHearing } = deps;

  /**
   * @returns what was offered, or how the question goes
   * @throws Conflict @throws NotAllowed @throws InvalidFields as a click does
   */
  async function ask(tx: Tx, userId: string, surface: Surface, given: Question): Promise<ShownOffer> {
    const { blocks, team, application, message, form } = surface.open();
    const { block_id, action_id, value } = readQuestion(blocks, given);
    const value_hash = hashToken(value);
    const element = { user_id: userId, place_id: surface.id, block_id, action_id };
    const now = clock();
    const known = await findOffer.first(tx, { ...element, value_hash, since: now - OFFERED_FOR_MS });
    if (known) return presentOffer(known);
    await expectHearing(tx, application, team);
    const place = { surface: surface.kind, message_id: message };
    const of = { ...element, ...place, team_id: team, application_id: application };
    const made = await begin(
      tx,
      publish,
      { ...of, kind: 'options', click: newId(), value_hash, created_at: now },
      { told: { block_id, action_id, value, state: {}, form }, pendingMs: OPTIONS_WITHIN_MS },
    );
    return presentOffer(made);
  }

  return { ask };
}

/** Keeps what an application offers. @returns false for what came too late */
export async function keepOffer(tx: Tx, id: string, offer: Offer): Promise<boolean> {
  return (await setOptions.first(tx, { id, json: JSON.stringify(offer) })) !== undefined;
}

/** Finds the options that a person was offered. Blocks have their other options themselves. */
export async function findOffered(
  tx: Tx,
  of: { userId: string; placeId: string },
  blocks: readonly Block[],
): Promise<Offered> {
  if (!asksForOptions(blocks)) return () => new Set();
  const rows = await listOffered.all(tx, { ...of, limit: MOST_REMEMBERED });
  const byElement = new Map<string, Set<string>>();
  for (const row of rows) {
    const element = JSON.stringify([row.block_id, row.action_id]);
    byElement.set(element, new Set([...(byElement.get(element) ?? []), ...valuesIn(offerOf(row))]));
  }
  return (block, action) => byElement.get(JSON.stringify([block, action])) ?? new Set();
}

const offerOf = ({ options_json }: Pick<InteractionRow, 'options_json'>): Offer =>
  options_json === null ? {} : (JSON.parse(options_json) as Offer);

const presentOffer = (row: InteractionRow): ShownOffer => ({ ...presentInteraction(row), ...offerOf(row) });
