import { mayPass } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { commandsPath } from '../../api/offered.ts';
import type { OfferedShortcut, TeamCommand } from '../../api/types.ts';
import { ask, dismiss, keyOf, NO_BLOCK, send } from './presses.ts';

/** A command that may have arrived although no answer came: the same text is the same click. */
let lost: { readonly attempt: string; readonly click: string } | undefined;

/**
 * Gives a command to its application. How it goes is seen in the team, and in the conversation with the application.
 * @param application in whose conversation it is given
 * @param text as it was written
 * @returns why the server did not take it
 */
export async function giveCommand(
  { team, application }: { readonly team: string; readonly application?: string },
  command: TeamCommand,
  text: string,
): Promise<unknown> {
  const attempt = JSON.stringify([team, application, text]);
  const click = lost?.attempt === attempt ? lost.click : newKey();
  const key = keyOf(team, NO_BLOCK, click);
  const error = await send(key, click, {
    what: text,
    path: commandsPath(team),
    body: () => ({ text, ...(application !== undefined && { application }) }),
    named: { name: `/${command.name}`, application: command.application.name },
  });
  lost = error !== undefined && mayPass(error) ? { attempt, click } : undefined;
  // It is still in the field, where the reason is told.
  if (error !== undefined) dismiss(key);
  return error;
}

/** Asks an application for what it offers. How it goes is seen in the team, or below the message. */
export function chooseShortcut(
  team: string,
  { action_id, name, application }: OfferedShortcut,
  message?: string,
): void {
  const of = { application: application.id, action_id, ...(message !== undefined && { message }) };
  ask(keyOf(message ?? team, NO_BLOCK, JSON.stringify([application.id, action_id])), {
    what: of,
    path: `/v1/teams/${team}/shortcuts`,
    body: () => of,
    named: { name, application: application.name },
  });
}
