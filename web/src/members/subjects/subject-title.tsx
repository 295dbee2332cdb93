import { Link } from '@tanstack/react-router';
import { Hash } from 'lucide-react';
import type { Message } from '../../api/types.ts';
import styles from './subjects.module.css';

/** What the messages below it are about; it leads to them alone. Nothing stands above those that are about nothing. */
export function SubjectTitle({ message }: { message: Message }) {
  const { subject, subject_id: id, addressed_teams } = message;
  const [team] = addressed_teams;
  if (id === undefined || team === undefined) return null;
  return (
    <p className={styles.title}>
      <Link to="/teams/$team" params={{ team }} search={{ subject: id }}>
        <Hash size={14} aria-hidden />
        <bdi>{subject}</bdi>
      </Link>
    </p>
  );
}
