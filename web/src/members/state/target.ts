import type { Chosen } from '../../design/people-field.tsx';
import type { Target } from './outbox.ts';
import { peopleKey } from './people-key.ts';

/** To whom a message goes that is addressed so; undefined while nobody is chosen. */
export function targetOf(chosen: readonly Chosen[], me: string): Target | undefined {
  const [first] = chosen;
  if (!first) return undefined;
  if (first.kind === 'team') return { kind: 'team', id: first.id };
  const ids = (kind: Chosen['kind']) => chosen.filter((one) => one.kind === kind).map(({ id }) => id);
  const [people, emails] = [ids('person'), ids('email')];
  // As the conversation has it, where it is shown until it is sent.
  const sorted = emails.length === 0 ? peopleKey(people, me).split(',') : people;
  return { kind: 'people', ids: sorted, emails };
}
