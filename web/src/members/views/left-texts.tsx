import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../../design/button.tsx';
import { PageBody } from '../../design/page.tsx';
import { NotOwnTeam } from '../../teams/team-frame.tsx';
import { LeftText } from '../compose/left-text.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import { nameOfDraft, useWrittenFor } from '../state/drafts.ts';
import { type Target, useUnsent } from '../state/outbox.ts';
import { MessageViewProvider } from '../state/view-context.tsx';
import styles from './compose.module.css';
import { useView } from './use-view.ts';

/** What was written for a team that the user is no longer in. @param props.known whether this window has shown the team */
export function LeftTeam({ team, known }: { team: string; known: boolean }) {
  const t = useTranslations('members.left');
  const view = useView(() => undefined);
  const names = useWrittenFor(view.me.id, team);
  const unsent = useUnsent(({ target }) => target.kind === 'team' && target.id === team);
  const left = names.length + unsent.length;
  if (left === 0 && !known) return <NotOwnTeam />;
  return (
    <MessageViewProvider value={view}>
      <PageBody title={t('teamTitle')} lead={left > 0 ? t('teamText') : t('teamEmpty')}>
        <div className={styles.form}>
          {names.map((name) => (
            <LeftText key={name} name={name} />
          ))}
          {unsent.map((entry) => (
            <UnsentMessage key={entry.key} entry={entry} grouped={false} />
          ))}
          <div>
            <ButtonLink to="/inbox">{t('home')}</ButtonLink>
          </div>
        </div>
      </PageBody>
    </MessageViewProvider>
  );
}

/** What was written into a conversation that the user does not see any more, below the reason why it is not shown. */
export function LeftConversation({ id, children }: { id: string; children: ReactNode }) {
  const t = useTranslations('members.left');
  const view = useView(() => undefined);
  const ofIt = (target: Target) =>
    target.kind === 'replies' ? target.id === id : target.kind === 'sidebar' && target.message === id;
  const unsent = useUnsent(({ target }) => ofIt(target));
  return (
    <MessageViewProvider value={view}>
      {children}
      <div className={styles.left}>
        <LeftText name={nameOfDraft(view.me.id, `replies.${id}`)}>{t('conversation')}</LeftText>
        {unsent.map((entry) => (
          <UnsentMessage key={entry.key} entry={entry} grouped={false} />
        ))}
      </div>
    </MessageViewProvider>
  );
}
