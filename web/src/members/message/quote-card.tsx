import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ApplicationMark, nameOf } from '../../design/person.tsx';
import { Time } from '../../design/time.tsx';
import { UnmarkedLink } from '../../design/unmarked-link.tsx';
import { isDeleted, isEdited } from '../state/message-list.ts';
import { versionsQuery } from '../state/message-queries.ts';
import { useMessage } from '../state/messages.ts';
import { editedAt, passageIn, type Reference } from '../state/references.ts';
import { MessageText } from '../text/message-text.tsx';
import styles from './quotes.module.css';
import { Where } from './where.tsx';

/** A message to which another one refers: as it is now, or a passage of it. */
export function QuoteCard({ message: id, passage }: Reference) {
  const t = useTranslations('members.quotes');
  const message = useMessage(id);
  const deleted = isDeleted(message);
  const isOlder = passage !== undefined && !deleted && passage.edited !== editedAt(message);
  const versions = useQuery({ ...versionsQuery(message), enabled: isOlder });
  if (isOlder && versions.isPending) return null;
  const shown = passage && !deleted ? passageIn(message, passage, versions.data) : undefined;
  const isPrivate = message.addressed_teams.length === 0;
  return (
    <blockquote
      className={styles.card}
      aria-label={t('label', { name: nameOf(message.author) })}
      data-quote={id}
    >
      <p className={styles.head}>
        <span className={styles.name}>
          <bdi>{nameOf(message.author)}</bdi>
        </span>
        <ApplicationMark author={message.author} />
        {isPrivate ? (
          <span className={styles.soft}>{t(message.sidebar === undefined ? 'direct' : 'sidebar')}</span>
        ) : (
          <Where message={message} />
        )}
        <UnmarkedLink to="/messages/$message" params={{ message: id }} className={styles.soft}>
          <Time at={message.created_at} />
          <span className="visually-hidden"> {t('open')}</span>
        </UnmarkedLink>
      </p>
      {deleted ? (
        <p className={styles.gone}>{t('deleted')}</p>
      ) : (
        <div className={styles.said}>
          {message.text === '' ? (
            <p className={styles.soft}>{t('files', { count: message.attachments.length })}</p>
          ) : (
            <MessageText text={shown ?? message.text} message={message} />
          )}
        </div>
      )}
      {isEdited(message) && <p className={styles.soft}>{t('edited')}</p>}
      {isPrivate && (
        <p className={styles.private}>
          <Lock size={14} aria-hidden />
          {t('private')}
        </p>
      )}
    </blockquote>
  );
}
