import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Unfurl } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { removeUnfurl } from '../state/changes.ts';
import { useMessageView } from '../state/view-context.tsx';
import { Outside } from './message-text.tsx';
import styles from './unfurls.module.css';

/** What links in a message's text lead to, as their applications show it. */
export function Unfurls({ message, unfurls }: { message: Message; unfurls: readonly Unfurl[] }) {
  const t = useTranslations('members.unfurls');
  const { me, isAdmin } = useMessageView();
  const [asked, setAsked] = useState<string>();
  const inCharge =
    message.author.id === me.id || (message.sidebar === undefined && isAdmin(message.addressed_teams[0]));
  return (
    <>
      <ul className={styles.list} aria-label={t('label')}>
        {unfurls.map((unfurl) => (
          <li key={unfurl.id} className={styles.card}>
            <Card unfurl={unfurl} />
            {inCharge && (
              <IconButton
                small
                className={styles.remove as string}
                label={t('remove', { title: unfurl.title })}
                onClick={() => setAsked(unfurl.id)}
              >
                <X size={16} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('removeTitle')}
        description={t('removeText')}
        action={t('removeAction')}
        act={() => removeUnfurl(message, asked ?? '')}
      />
    </>
  );
}

function Card({ unfurl: { url, title, text, fields, application } }: { unfurl: Unfurl }) {
  const t = useTranslations('members.unfurls');
  return (
    <div className={styles.what}>
      <p className={styles.application}>
        <ApplicationIcon application={application} size="tiny" />
        <span>{t('from')}</span>
        <bdi>{application.name}</bdi>
      </p>
      <p className={styles.title}>
        <Outside url={url}>
          <bdi>{title}</bdi>
        </Outside>
      </p>
      {text !== '' && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they do not move, and a name may be there twice
            <div key={at}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
