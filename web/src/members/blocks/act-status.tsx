import { Check, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import { useFailureText } from '../../text/failure.ts';
import { type Press, pressAgain, stateOf, usePressesIn } from './acting.ts';
import { useBlockId, useBlocks } from './context.ts';
import styles from './elements.module.css';

/** How the clicks in a block go: worked on, done, or failed. */
export function ActStatus() {
  const { id } = useBlocks();
  const presses = usePressesIn(id, useBlockId());
  return (
    <div className={styles.statuses} role="status">
      {presses.map((press) => (
        <Status key={press.act.action_id} press={press} />
      ))}
    </div>
  );
}

function Status({ press }: { press: Press }) {
  const t = useTranslations('blocks');
  const { id, blocks, application } = useBlocks();
  const why = useWhy();
  const { status, isSlow } = press;
  if (status === 'sent' || status === 'pending')
    return isSlow ? (
      <p className={styles.status}>
        <LoaderCircle size={14} className={styles.turning} aria-hidden />
        {t('working', { name: application.name })}
      </p>
    ) : null;
  if (status === 'done')
    return (
      <p className={styles.status} data-status="done">
        <Check size={14} aria-hidden />
        {t('done')}
      </p>
    );
  return (
    <div className={styles.status} data-status="failed">
      <TriangleAlert size={14} aria-hidden />
      <span>{why(press, application.name)}</span>
      <Button small look="quiet" onClick={() => pressAgain(id, press, () => stateOf(id, blocks))}>
        {t('again')}
      </Button>
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
