import { Link } from '@tanstack/react-router';
import { Hash, MessagesSquare, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Subject } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { useMute } from '../state/mutes.ts';
import styles from './subjects.module.css';

/** The addresses differ by what they search for alone. */
const OWN = { exact: true, includeSearch: true };

/**
 * All messages, the open subjects of a team with what is unread in each, and the closed ones behind a fold.
 * @param props.onChosen for where it stands over the messages
 */
export function SubjectList(props: {
  team: string;
  subjects: readonly Subject[];
  /** The id of the one that is shown alone. */
  shown: string | undefined;
  onNew: () => void;
  onChosen?: () => void;
}) {
  const { team, subjects, shown, onNew, onChosen } = props;
  const t = useTranslations('members.subjects');
  const open = subjects.filter(({ closed }) => !closed);
  const closed = subjects.filter((subject) => subject.closed);
  const row = (subject: Subject) => (
    <SubjectRow
      key={subject.id}
      team={team}
      subject={subject}
      isShown={subject.id === shown}
      onChosen={onChosen}
    />
  );
  return (
    <nav className={styles.list} aria-label={t('label')}>
      <ul>
        <li>
          <Link
            to="/teams/$team"
            params={{ team }}
            search={{}}
            activeOptions={OWN}
            className={styles.row}
            aria-current={shown === undefined ? 'page' : undefined}
            {...(onChosen && { onClick: onChosen })}
          >
            <MessagesSquare size={16} aria-hidden />
            <span className={styles.name}>{t('all')}</span>
          </Link>
        </li>
        {open.map(row)}
      </ul>
      {closed.length > 0 && (
        <details className={styles.closed} open={closed.some(({ id }) => id === shown)}>
          <summary>{t('closed', { count: closed.length })}</summary>
          <ul>{closed.map(row)}</ul>
        </details>
      )}
      <Button small look="quiet" aria-haspopup="dialog" onClick={onNew}>
        <Plus size={16} aria-hidden />
        {t('new')}
      </Button>
    </nav>
  );
}

function SubjectRow(props: {
  team: string;
  subject: Subject;
  isShown: boolean;
  onChosen: (() => void) | undefined;
}) {
  const { team, subject, isShown, onChosen } = props;
  const { id, name, num_unread: unread } = subject;
  const t = useTranslations('members.subjects');
  const isMuted = useMute({ kind: 'subject', id }) !== undefined;
  return (
    <li>
      <Link
        to="/teams/$team"
        params={{ team }}
        search={{ subject: id }}
        activeOptions={OWN}
        className={`${styles.row} ${isMuted ? styles.muted : ''} ${unread > 0 ? styles.unread : ''}`}
        aria-current={isShown ? 'page' : undefined}
        {...(onChosen && { onClick: onChosen })}
      >
        <Hash size={16} aria-hidden />
        <span className={styles.name} dir="auto">
          {name}
        </span>
        {unread > 0 && (
          <span className={styles.count}>
            <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
            <span className="visually-hidden">{t('unread', { count: unread })}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
