import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { EphemeralAnswer } from '../../api/types.ts';

/**
 * Tells screen readers of the answers that arrive while a team is open.
 * @param props.answers undefined until they are known
 */
export function AnswersAloud({ answers }: { answers: readonly EphemeralAnswer[] | undefined }) {
  const t = useTranslations('members.stream');
  /** Up to this one they have been told, or were there before. */
  const last = useRef<string>(undefined);
  const [said, setSaid] = useState<EphemeralAnswer>();
  useEffect(() => {
    if (!answers) return;
    const newest = answers.at(-1);
    const isNew = last.current !== undefined && newest !== undefined && newest.id > last.current;
    if (isNew) setSaid(newest);
    if (isNew || last.current === undefined) last.current = newest?.id ?? '';
  }, [answers]);
  return (
    <div className="visually-hidden" role="status">
      {said && t('onlyYou', { name: said.application.name, text: said.text })}
    </div>
  );
}
