import { EyeOff, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { EphemeralAnswer, Message } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import { dismissAnswer } from '../state/ephemeral.ts';
import { MessageText } from '../text/message-text.tsx';
import { MessageBlocks } from './message-blocks.tsx';
import styles from './only-you.module.css';

/**
 * What an application has told this person alone. It is not a message, and nothing in it can be pressed.
 * @param props.message below which it stands
 * @param props.leave moves the focus away from it
 */
export function OnlyYou(props: {
  answer: EphemeralAnswer;
  message?: Message;
  leave?: (from: Element) => void;
}) {
  const { answer, message, leave = toMessage } = props;
  const t = useTranslations('blocks');
  const { application, text, blocks } = answer;
  const said = {
    ...message,
    ...{ id: answer.id, text, mentions: [], addressed_teams: [answer.team] },
    ...{ author: { ...application, first_name: application.name, last_name: '' } },
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
          leave(currentTarget);
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

/** The focus goes to what remains. */
const toMessage = (from: Element) => from.closest<HTMLElement>('[tabindex]:not(button)')?.focus();
