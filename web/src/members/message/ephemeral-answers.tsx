import { useQuery } from '@tanstack/react-query';
import type { Message } from '../../api/types.ts';
import { OnlyYou } from '../blocks/on-demand.tsx';
import { ephemeralQuery } from '../state/ephemeral.ts';

/** What the application of a message has told this person alone. */
export function EphemeralAnswers({ message }: { message: Message }) {
  const [team = ''] = message.addressed_teams;
  const { data: answers = [] } = useQuery({ ...ephemeralQuery(team), enabled: team !== '' });
  const own = answers.filter((answer) => answer.message === message.id);
  return own.map((answer) => <OnlyYou key={answer.id} answer={answer} message={message} />);
}
