import { Link } from '@tanstack/react-router';
import { Hash } from 'lucide-react';
import styles from './subjects.module.css';

/** The subject of the messages below it; it leads to them alone. @param props.id a new subject has none yet */
export function SubjectTitle({ team, id, name }: { team: string; id: string | undefined; name: string }) {
  const content = (
    <>
      <Hash size={14} aria-hidden />
      <bdi>{name}</bdi>
    </>
  );
  return (
    <p className={styles.title}>
      {id === undefined ? (
        <span>{content}</span>
      ) : (
        <Link to="/teams/$team" params={{ team }} search={{ subject: id }}>
          {content}
        </Link>
      )}
    </p>
  );
}
