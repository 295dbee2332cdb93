import { InvalidFields, NotFound, type Viewer } from '#api';
import { hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import type { InteractionRow } from '#schema';
import { accessTeam } from '../../../teams/index.ts';
import type { DirectApplications } from '../direct/application.service.ts';
import { findClick } from '../interactions/interaction.store.ts';
import {
  type Asked,
  begin,
  type Publish,
  presentInteraction,
  type ShownInteraction,
} from '../interactions/surface.ts';
import { conversationWith } from '../view/conversation-id.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';

/** A shortcut, as somebody chooses it. */
export interface GivenShortcut {
  readonly application: string;
  readonly action_id: string;
  /** In whose menu it was chosen. */
  readonly message?: string | undefined;
  readonly click: string;
}

/** The applications of a team that have names to ask for. */
export interface NamesOfTeam {
  /** @returns the application that has the command in the team */
  findCommand: (tx: Tx, teamId: string, name: string) => Promise<{ application: string } | undefined>;
  /** @returns whether the application offers it in the team */
  hasShortcut: (
    tx: Tx,
    of: { teamId: string; application: string; action_id: string; on: 'team' | 'message' },
  ) => Promise<boolean>;
}

export type CommandService = ReturnType<typeof commandService>;

/** Tells applications what members ask them for by its name: commands and shortcuts. */
export function commandService(deps: {
  clock: Clock;
  /** How long an application has time to answer. */
  expiryMs: number;
  publish: Publish;
  /** @throws NotAllowed for an application that does not hear of this team */
  expectHearing: (tx: Tx, application: string, team: string) => Promise<void>;
  names: NamesOfTeam;
  direct: DirectApplications;
}) {
  const { clock, expiryMs, publish, expectHearing, names, direct } = deps;

  /**
   * @param given a line such as `/standup tomorrow`
   * @throws NotFound for a team that the person is not in
   * @throws InvalidFields for a text that is no command of the team, or of the application in whose conversation it is given
   * @throws NotAllowed where the application does not hear of it, and in a conversation where nothing can be written
   */
  async function run(
    tx: Tx,
    viewer: Viewer,
    team: string,
    given: { text: string; click: string; application?: string | undefined },
  ): Promise<ShownInteraction> {
    const { id: teamId } = await accessTeam(tx, viewer.userId, team);
    const { name, text } = readLine(given.text);
    const click = given.click.toLowerCase();
    const of = { block_id: 'command', action_id: name, click };
    const talk = given.application?.toLowerCase();
    const place = talk === undefined ? teamId : await conversationOf(tx, viewer, teamId, talk);
    const known = await findKnown(tx, viewer, place, of);
    if (known) return presentInteraction(known);
    const found = await names.findCommand(tx, teamId, name);
    if (!found || (talk !== undefined && found.application !== talk))
      throw new InvalidFields({
        field: 'text',
        message: `begins with no command of this ${talk === undefined ? 'team' : 'application'}: there is no /${name}`,
      });
    const surface = talk === undefined ? 'team' : 'direct';
    const at = { teamId, place, surface, message: null, application: found.application } as const;
    return start(tx, viewer, at, { kind: 'command', ...of, told: { command: name, text } });
  }

  /** @returns the id of a person's conversation with an application @throws NotAllowed @throws NotFound */
  async function conversationOf(
    tx: Tx,
    { userId }: Viewer,
    teamId: string,
    application: string,
  ): Promise<string> {
    const applicationId = parseId(application);
    if (applicationId === undefined) throw new NotFound();
    await direct.expectOpen(tx, { userId, teamId, applicationId }, false);
    return conversationWith({ teamId, applicationId }, userId);
  }

  /**
   * Of a team, or of a message in it.
   * @throws NotFound for a team or a message that the person does not see
   * @throws Conflict for a message that was deleted
   * @throws InvalidFields for what the application does not offer there
   * @throws NotAllowed where the application does not hear of it
   */
  async function choose(
    tx: Tx,
    viewer: Viewer,
    team: string,
    given: GivenShortcut,
  ): Promise<ShownInteraction> {
    const { action_id } = given;
    const application = given.application.toLowerCase();
    const { id: teamId } = await accessTeam(tx, viewer.userId, team);
    const message = given.message === undefined ? undefined : await seenIn(tx, viewer, teamId, given.message);
    const of = { block_id: `shortcut ${application}`, action_id, click: given.click.toLowerCase() };
    const known = await findKnown(tx, viewer, message ?? teamId, of);
    if (known) return presentInteraction(known);
    const on = message === undefined ? 'team' : 'message';
    if (!(await names.hasShortcut(tx, { teamId, application, action_id, on })))
      throw new InvalidFields({ field: 'action_id', message: 'is nothing that the application offers here' });
    const at = { teamId, application, place: message ?? teamId, message: message ?? null };
    const told = { action_id };
    return message === undefined
      ? start(tx, viewer, { ...at, surface: 'team' }, { kind: 'shortcut', ...of, told })
      : start(tx, viewer, { ...at, surface: 'message' }, { kind: 'message_action', ...of, told });
  }

  const findKnown = (tx: Tx, { userId }: Viewer, place: string, of: Key) =>
    findClick.first(tx, { user_id: userId, place_id: place, ...of });

  async function start(
    tx: Tx,
    viewer: Viewer,
    { teamId, application, place, surface, message }: Asking,
    { told, ...of }: Key & { kind: Named; told: Asked },
  ): Promise<ShownInteraction> {
    await expectHearing(tx, application, teamId);
    const begun = {
      ...of,
      ...{ user_id: viewer.userId, team_id: teamId, application_id: application },
      ...{ surface, place_id: place, message_id: message },
      value_hash: hashToken(told.text ?? ''),
      created_at: clock(),
    };
    return presentInteraction(await begin(tx, publish, begun, { told, pendingMs: expiryMs }));
  }

  return { run, choose };
}

/** Where an application is asked for something. */
interface Asking {
  readonly teamId: string;
  readonly application: string;
  readonly surface: 'team' | 'message' | 'direct';
  /** The id of the surface. */
  readonly place: string;
  readonly message: string | null;
}

type Named = 'command' | 'shortcut' | 'message_action';

/** Commands and shortcuts are in no block: `block_id` holds their kind and application. */
type Key = Pick<InteractionRow, 'block_id' | 'action_id' | 'click'>;

/** @throws NotFound for a message of another place @throws Conflict for one that was deleted */
async function seenIn(tx: Tx, viewer: Viewer, teamId: string, id: string): Promise<string> {
  const row = await accessMessage(tx, viewer, id);
  refuseDeleted(row);
  if (row.team_id !== teamId || row.sidebar_id !== null)
    throw new InvalidFields({ field: 'message', message: 'is not in this team, or in a sidebar' });
  return row.id;
}

const LINE = /^\/(\p{L}[\p{L}\p{M}\p{N}_-]*)(?:\s+|$)/u;

/** @throws InvalidFields */
function readLine(line: string): { name: string; text: string } {
  const [begun, written] = LINE.exec(line) ?? [];
  if (begun === undefined || written === undefined)
    throw new InvalidFields({ field: 'text', message: 'must begin with a slash and the name of a command' });
  if (line.includes('\0')) throw new InvalidFields({ field: 'text', message: 'must not contain U+0000' });
  return { name: written.normalize('NFKC').toLowerCase(), text: line.slice(begun.length).trim() };
}
