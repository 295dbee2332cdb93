import { lookUp, NotAllowed, NotFound, type Viewer } from '#api';
import { hashToken } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { HomeRow } from '#schema';
import { accessTeam } from '../../../teams/index.ts';
import { type Block, readPageBlocks } from '../../blocks/index.ts';
import { findClick, listOpenings } from '../interactions/interaction.store.ts';
import {
  begin,
  type Publish,
  presentInteraction,
  type ShownInteraction,
  type Surface,
} from '../interactions/surface.ts';
import type { Presenters } from '../view/message.present.ts';
import type { ShownHome } from './home.schema.ts';
import { deleteHomesInTeam, findHome, lockHome, publishHome, purgeHomes } from './home.store.ts';

/** An application that a team has installed. */
export interface Installed {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly installation: string;
  /** Whether it shows a page of its own. */
  readonly hasHome: boolean;
}

/** Openings that one publication answers. */
const ANSWERED_AT_ONCE = 100;

export type HomeService = ReturnType<typeof homeService>;

/** Pages that applications show inside Parley, to each person of a team their own. */
export function homeService(deps: {
  db: Database;
  clock: Clock;
  /** How long an application has time to answer. */
  expiryMs: number;
  icon: Presenters['icon'];
  publish: Publish;
  /** Tells the windows of a person that a home has changed. */
  tell: (tx: Tx, userId: string, home: { application: string; team: string }) => Promise<void>;
  /** @returns undefined unless the team has the application */
  findInstalled: (reader: Reader, application: string, team: string) => Promise<Installed | undefined>;
  /** @throws NotAllowed for an application that does not hear of homes that are opened in this team */
  expectHearing: (tx: Tx, application: string, team: string) => Promise<void>;
  /** @throws NotAllowed for an application that sleeps */
  expectAwake: (tx: Tx, application: string, team: string) => Promise<unknown>;
  end: (tx: Tx, interactions: readonly string[]) => Promise<void>;
}) {
  const { db, clock, expiryMs, icon, publish, tell, findInstalled, expectHearing, expectAwake, end } = deps;

  /** @throws NotFound for a team that the person is not in, and an application that the team does not have */
  async function access(reader: Reader, userId: string, of: { application: string; team: string }) {
    const { id: team } = await accessTeam(reader, userId, of.team);
    const application = await lookUp(of.application, (id) => findInstalled(reader, id, team));
    const key = { installation_id: application.installation, user_id: userId };
    return { application, team, key };
  }

  /** @throws NotFound */
  async function get({ userId }: Viewer, of: { application: string; team: string }): Promise<ShownHome> {
    const { application, team, key } = await access(db, userId, of);
    return present(application, team, await findHome.first(db, key));
  }

  function present(
    { id, name, icon: given }: Installed,
    team: string,
    row: Pick<HomeRow, 'blocks_json' | 'hash'> | undefined,
  ): ShownHome {
    return {
      application: { id, name, icon: icon({ id, icon: given }) },
      team,
      blocks: row ? (JSON.parse(row.blocks_json) as unknown[]) : null,
      hash: row?.hash ?? null,
    };
  }

  /**
   * Replaces what one person sees. Their windows show it at once, and openings that wait are answered.
   * @throws NotFound for a team that does not have the application, and for somebody who is not in it
   * @throws NotAllowed for an application that is not registered with a home, or sleeps
   */
  async function put(
    tx: Tx,
    applicationId: string,
    of: { user: string; team: string },
    blocks: unknown,
  ): Promise<ShownHome> {
    const userId = parseId(of.user);
    if (userId === undefined) throw new NotFound();
    const { application, team, key } = await access(tx, userId, { ...of, application: applicationId });
    if (!application.hasHome)
      throw new NotAllowed('no_home', 'The application is not registered with a home');
    await expectAwake(tx, applicationId, team);
    const blocks_json = JSON.stringify(readPageBlocks(blocks));
    const by = { application_id: application.id, team_id: team };
    const row = { id: newId(), ...key, ...by, blocks_json, hash: newId(), published_at: clock() };
    await publishHome.run(tx, row);
    const opened = await listOpenings.all(tx, { ...by, user_id: userId, limit: ANSWERED_AT_ONCE });
    await end(
      tx,
      opened.map(({ id }) => id),
    );
    await tell(tx, userId, { application: applicationId, team });
    return present(application, team, row);
  }

  /**
   * Tells the application that somebody looks at its page, once for each `click`.
   * @throws NotFound @throws NotAllowed where there is no home, and where the application does not hear of it
   */
  async function open(
    tx: Tx,
    { userId }: Viewer,
    of: { application: string; team: string },
    named: string,
  ): Promise<ShownInteraction> {
    const { application, team } = await access(tx, userId, of);
    const at = {
      place_id: team,
      block_id: `home ${application.id}`,
      action_id: '',
      click: named.toLowerCase(),
    };
    const known = await findClick.first(tx, { user_id: userId, ...at });
    if (known) return presentInteraction(known);
    if (!application.hasHome) throw new NotAllowed('no_home', 'The application has no home');
    await expectHearing(tx, application.id, team);
    const made = await begin(
      tx,
      publish,
      {
        ...{ application_id: application.id, team_id: team, user_id: userId, message_id: null },
        ...{ ...at, kind: 'opened', surface: 'home' },
        ...{ value_hash: hashToken(''), created_at: clock() },
      },
      { told: {}, pendingMs: expiryMs },
    );
    return presentInteraction(made);
  }

  /** @throws NotFound for a home that was never published */
  async function surface(
    tx: Tx,
    { userId }: Viewer,
    of: { application: string; team: string },
  ): Promise<Surface> {
    const { key } = await access(tx, userId, of);
    const row = await lockHome.first(tx, key);
    if (!row) throw new NotFound();
    return {
      kind: 'home',
      id: row.id,
      open: () => ({
        blocks: JSON.parse(row.blocks_json) as Block[],
        team: row.team_id,
        application: row.application_id,
        message: null,
      }),
    };
  }

  const onMemberRemoved = (tx: Tx, { userId, teamId }: { userId: string; teamId: string }) =>
    deleteHomesInTeam.run(tx, { userId, teamId });

  return {
    get,
    put,
    open,
    surface,
    onMemberRemoved,
    housekeeping: [cleaning(db, purgeHomes, () => ({}))],
  };
}
