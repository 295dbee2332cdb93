import { useQuery } from '@tanstack/react-query';
import type { EphemeralAnswer, Message } from '../../api/types.ts';
import { fieldHere } from '../../shell/letters.ts';
import { OnlyYou } from '../blocks/on-demand.tsx';
import { ephemeralQuery } from '../state/ephemeral.ts';
import { NO_BLOCK, useHasPresses } from '../state/presses.ts';

/** What applications have told this person alone about a message: its own, or one that was asked in its menu. */
export function EphemeralAnswers({ message }: { message: Message }) {
  const [team = ''] = message.addressed_teams;
  const isAsked = useHasPresses(message.id, NO_BLOCK);
  const { data: answers = [] } = useQuery({
    ...ephemeralQuery(team),
    enabled: team !== '' && (message.via_app !== null || isAsked),
  });
  const own = answers.filter((answer) => answer.message === message.id);
  return own.map((answer) => <OnlyYou key={answer.id} answer={answer} message={message} />);
}

/** What answers a command or a shortcut of a team. */
export const AnswerInTeam = ({ answer }: { answer: EphemeralAnswer }) => (
  <OnlyYou answer={answer} leave={() => fieldHere()?.focus()} />
);
