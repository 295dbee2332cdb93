import { useQuery } from '@tanstack/react-query';
import { cloneElement, type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import { nameOf, PersonChip } from '../../design/person.tsx';
import { Loaded } from '../../design/states.tsx';
import { useNameList } from '../../text/names.ts';
import { type Fived, highFivesQuery } from '../state/message-queries.ts';
import styles from './message.module.css';

/** How many people the hint names; the others are counted. */
const NAMED = 8;

/** Names the people while its child is hovered or focused. */
export function HighFivesHint(props: { message: Fived; children: ReactElement<Record<string, unknown>> }) {
  const { message, children } = props;
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  const names = useGiverNames(message, wanted);
  return cloneElement(children, { 'data-hint': names, onPointerEnter: want, onFocus: want });
}

function useGiverNames(message: Fived, wanted: boolean): string {
  const t = useTranslations('members.people');
  const list = useNameList();
  const { data } = useQuery({ ...highFivesQuery(message), enabled: wanted });
  if (!data) return '…';
  const names = data.slice(0, NAMED).map(nameOf);
  const rest = Math.max(message.num_high_fives, data.length) - names.length;
  return list(rest > 0 ? [...names, t('more', { count: rest })] : names);
}

/** The same as a dialog: for touch screens, and for many names. */
export function HighFivesDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.people');
  const actions = useTranslations('members.actions');
  const query = useQuery(highFivesQuery(message));
  const rest = message.num_high_fives - (query.data?.length ?? 0);
  return (
    <Dialog open onClose={onClose} title={actions('highFivesTitle')}>
      <Loaded query={query} rows={2}>
        {(people) => (
          <ul className={styles.givers}>
            {people.map((person) => (
              <li key={person.id}>
                <PersonChip person={person} />
              </li>
            ))}
            {rest > 0 && <li className={styles.soft}>{t('more', { count: rest })}</li>}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}
