import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { commandsQuery, isReached } from '../../api/offered.ts';
import type { TeamCommand } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { BUILT_IN, type BuiltIn, begunLike, type CommandScope, isWithin } from './commands.ts';
import styles from './composer.module.css';
import type { Suggestion } from './suggestion.ts';

/**
 * The commands that are meant, Parley's own before those of applications.
 * @param typed the beginning of a name behind a slash, where commands can be written
 * @param scope empty where those of applications cannot be given
 */
export function useCommandSuggestions(
  typed: string | undefined,
  scope: Partial<CommandScope>,
): readonly Suggestion[] {
  const { data: offered = [] } = useQuery({
    ...commandsQuery(scope.team ?? ''),
    enabled: typed !== undefined && scope.team !== undefined,
  });
  if (typed === undefined) return [];
  const own = BUILT_IN.map((name) => ({ name, shown: <OwnCommand name={name} /> }));
  const others = offered
    .filter((one) => isReached(one) && isWithin(scope, one))
    .map((one) => ({ name: one.name, shown: <OfferedCommand command={one} /> }));
  return begunLike(typed, [...own, ...others]).map(({ name, shown }) => ({
    key: name,
    text: `/${name} `,
    shown,
  }));
}

function OwnCommand({ name }: { name: BuiltIn }) {
  const t = useTranslations('shell.commands');
  return (
    <>
      <bdi>/{name}</bdi>
      {name !== 'help' && <bdi className={styles.detail}>{t(`${name}.hint`)}</bdi>}
      <span className={styles.personTitle}>{t(`${name}.does`)}</span>
    </>
  );
}

function OfferedCommand({ command }: { command: TeamCommand }) {
  const { name, hint, description, application } = command;
  return (
    <>
      <ApplicationIcon application={application} size="small" />
      <span className={styles.command}>
        <span>
          <bdi>/{name}</bdi> {hint !== '' && <bdi className={styles.detail}>{hint}</bdi>}
        </span>
        <span className={styles.detail}>
          <bdi>{description}</bdi> <span aria-hidden>·</span> <bdi>{application.name}</bdi>
        </span>
      </span>
    </>
  );
}
