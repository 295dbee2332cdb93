import { EyeOff, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { EphemeralAnswer, Message } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import { dismissAnswer } from '../state/ephemeral.ts';
import { MessageText } from '../text/message-text.tsx';
import { MessageBlocks } from './message-blocks.tsx';
import styles from './only-you.module.css';

/** What an application has told this person alone, below a message. It is none itself, and nothing in it can be pressed. */
export function OnlyYou({ message, answers }: { message: Message; answers: readonly EphemeralAnswer[] }) {
  return answers.map((answer) => <Answer key={answer.id} message={message} answer={answer} />);
}

function Answer({ message, answer }: { message: Message; answer: EphemeralAnswer }) {
  const t = useTranslations('blocks');
  const { application, text, blocks } = answer;
  const said: Message = {
    ...message,
    ...{ id: answer.id, text, mentions: [] },
    via_app: { ...application, url: '' },
  };
  return (
    <div className={styles.answer} role="note" aria-label={t('onlyYouFrom', { name: application.name })}>
      <p className={styles.head}>
        <EyeOff size={14} aria-hidden />
        <span>{t('onlyYou')}</span>
        <span aria-hidden>·</span>
        <span className={styles.who}>
          <ApplicationIcon application={application} size="tiny" />
          <bdi>{application.name}</bdi>
        </span>
      </p>
      <IconButton
        small
        label={t('dismiss')}
        onClick={({ currentTarget }) => {
          // The focus goes to what remains.
          currentTarget.closest<HTMLElement>('[tabindex]:not(button)')?.focus();
          void dismissAnswer(answer);
        }}
      >
        <X size={16} aria-hidden />
      </IconButton>
      <div className={styles.said}>
        {blocks ? (
          <MessageBlocks message={said} blocks={blocks} isPast isFramed />
        ) : (
          <MessageText text={text} message={said} />
        )}
      </div>
    </div>
  );
}
