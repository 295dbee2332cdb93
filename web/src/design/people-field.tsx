import { Combobox } from '@base-ui/react/combobox';
import { useQuery } from '@tanstack/react-query';
import { Mail, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasWords } from '../api/matching.ts';
import { connectionsBefore, connectionsQuery, membershipsQuery } from '../api/queries.ts';
import type { Team, UserSummary } from '../api/types.ts';
import { Avatar, TeamIcon } from './avatar.tsx';
import fieldStyles from './field.module.css';
import styles from './people-field.module.css';
import { nameOf } from './person.tsx';

/** An addressee: a person, a team, or an email address. */
export interface Chosen {
  readonly kind: 'person' | 'team' | 'email';
  /** For an email address, the address itself. */
  readonly id: string;
  readonly name: string;
  readonly person?: UserSummary;
  readonly team?: Team;
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const SEVERAL = ', ';

/** Several addresses are chosen at once, and are a chip each. */
const apart = (chosen: Chosen): Chosen[] =>
  chosen.kind === 'email' ? chosen.name.split(SEVERAL).map(addressee) : [chosen];

const addressee = (name: string): Chosen => ({ kind: 'email', id: name.toLowerCase(), name });

/** @returns the suggestions for the typed text */
function useChoices(
  typed: string,
  { teams, addresses, within }: { teams: boolean; addresses: boolean; within: string | undefined },
): Chosen[] {
  const { data: people = [] } = useQuery({
    ...connectionsQuery(typed, within),
    placeholderData: connectionsBefore(typed),
  });
  const { data: memberships = [] } = useQuery({ ...membershipsQuery, enabled: teams });
  const parts = typed.split(/[\s,;]+/).filter(Boolean);
  const isAddressed = addresses && parts.length > 0 && parts.every((part) => ADDRESS.test(part));
  const fitting = teams ? memberships.filter(({ team }) => hasWords(team.name, typed)) : [];
  return [
    ...fitting.slice(0, 5).map(({ team }) => ({ kind: 'team' as const, id: team.id, name: team.name, team })),
    ...people.map((person) => ({ kind: 'person' as const, id: person.id, name: nameOf(person), person })),
    ...(isAddressed ? [addressee(parts.join(SEVERAL))] : []),
  ];
}

/**
 * Chooses people by name. Each one becomes a chip that can be removed.
 * @param props.teams whether teams may be chosen as well
 * @param props.addresses whether email addresses may be chosen, several at once; they may where teams may
 * @param props.within a team, whose members alone are offered
 */
export function PeopleField(props: {
  label: string;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
  teams?: boolean;
  addresses?: boolean;
  within?: string;
  error?: string | undefined;
  autoFocus?: boolean;
}) {
  const {
    label,
    chosen,
    onChange,
    teams = false,
    addresses = teams,
    within,
    error,
    autoFocus = false,
  } = props;
  const t = useTranslations('common.people');
  const id = useId();
  const [typed, setTyped] = useState('');
  const choices = useChoices(typed.trim(), { teams, addresses, within });
  const items = [...choices, ...chosen.filter((one) => !choices.some((other) => other.id === one.id))];
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <Combobox.Root<Chosen, true>
        multiple
        items={items}
        filteredItems={choices.filter((choice) => !chosen.some((one) => one.id === choice.id))}
        filter={null}
        value={[...chosen]}
        onValueChange={(next, { reason }) => {
          // Escape closes the list. By default it would also clear the selection.
          if (reason === 'escape-key') return;
          onChange(next.flatMap(apart));
          setTyped('');
        }}
        inputValue={typed}
        onInputValueChange={setTyped}
        itemToStringLabel={({ name }) => name}
        isItemEqualToValue={(one, other) => one.id === other.id}
        autoHighlight
      >
        <Combobox.InputGroup className={styles.group}>
          <Combobox.Chips className={styles.chips} aria-label={chosen.length > 0 ? t('chosen') : undefined}>
            {chosen.map((one) => (
              <Combobox.Chip key={one.id} className={styles.chip} aria-label={one.name}>
                <Face of={one} />
                {one.name}
                <Combobox.ChipRemove className={styles.remove} aria-label={t('remove', { name: one.name })}>
                  <X size={14} aria-hidden />
                </Combobox.ChipRemove>
              </Combobox.Chip>
            ))}
            <Combobox.Input
              id={id}
              className={styles.input}
              autoFocus={autoFocus}
              // While the list is open, everything around it is hidden from screen readers, the label included.
              aria-label={label}
              aria-invalid={error !== undefined}
              aria-describedby={error === undefined ? undefined : `${id}-error`}
            />
          </Combobox.Chips>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4} align="start" className={styles.layer}>
            <Combobox.Popup className={styles.popup}>
              <Combobox.Empty>
                <p className={styles.empty}>
                  {t(teams ? 'nobodyOrTeam' : addresses ? 'nobodyOrAddress' : 'nobody')}
                </p>
              </Combobox.Empty>
              <Combobox.List>
                {(choice: Chosen) => (
                  <Combobox.Item key={choice.id} value={choice} className={styles.item}>
                    <Face of={choice} />
                    <span>{choice.name}</span>
                    {choice.person?.title && <span className={styles.soft}>{choice.person.title}</span>}
                    {choice.kind === 'team' && <span className={styles.soft}>{t('team')}</span>}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
      {error && (
        <p id={`${id}-error`} className={fieldStyles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function Face({ of }: { of: Chosen }) {
  if (of.person) return <Avatar person={of.person} size="small" />;
  if (of.team) return <TeamIcon team={of.team} />;
  return <Mail size={16} aria-hidden />;
}
