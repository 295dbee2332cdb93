import { Check, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import { useFailureText } from '../../text/failure.ts';
import type { Press } from '../state/presses.ts';
import styles from './elements.module.css';

/**
 * How something that was asked of an application goes: worked on, done, or failed.
 * @param props.application its name
 * @param props.dismiss takes a failure away, where nothing else does
 */
export function PressStatus(props: {
  press: Press;
  application: string;
  /** @param from the button, which goes away */
  again: (from: Element) => void;
  dismiss?: (from: Element) => void;
}) {
  const { press, application, again, dismiss } = props;
  const t = useTranslations('blocks');
  const why = useWhy();
  const { status, isSlow } = press;
  const named = press.ask.named?.name;
  if (status === 'sent' || status === 'pending')
    return isSlow ? (
      <p className={styles.status}>
        <LoaderCircle size={14} className={styles.turning} aria-hidden />
        {named === undefined
          ? t('working', { name: application })
          : t('workingOn', { name: application, what: named })}
      </p>
    ) : null;
  if (status === 'done')
    return (
      <p className={styles.status} data-status="done">
        <Check size={14} aria-hidden />
        {named === undefined ? t('done') : t('doneWith', { what: named })}
      </p>
    );
  return (
    <div className={styles.status} data-status="failed">
      <TriangleAlert size={14} aria-hidden />
      {named !== undefined && <bdi>{named}</bdi>}
      <span>{why(press, application)}</span>
      <Button small look="quiet" onClick={({ currentTarget }) => again(currentTarget)}>
        {t('again')}
      </Button>
      {dismiss && (
        <Button small look="quiet" onClick={({ currentTarget }) => dismiss(currentTarget)}>
          {t('dismiss')}
        </Button>
      )}
    </div>
  );
}

/** @returns a function that says why a click had no effect */
function useWhy(): (press: Press, name: string) => string {
  const t = useTranslations('blocks');
  const failure = useFailureText();
  return ({ status, reason, error }, name) => {
    if (error !== undefined) return failure(error);
    if (status === 'unanswered') return t('unanswered', { name });
    const key = `reasons.${reason}`;
    const isWord = reason !== undefined && /^[a-z_]+$/.test(reason);
    return isWord && t.has(key as never) ? t(key as never, { name } as never) : t('failed', { name });
  };
}
