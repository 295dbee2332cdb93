import { useTranslations } from 'use-intl';
import { endToast, tell } from '../../design/toast.tsx';
import { useFailureText } from '../../text/failure.ts';
import { type Marking, undoDone } from '../state/inbox.ts';

/** Tells of what was marked as read, and offers to bring it back. */
export function useMarking() {
  const t = useTranslations('members.inbox');
  const failureText = useFailureText();
  const fail = (error: unknown) => tell(failureText(error));
  const undo = () => {
    endToast();
    undoDone().catch(fail);
  };
  const told = (title: string, marking: Promise<Marking>) => {
    marking
      .then((now) => {
        if (now !== 'undone') tell(title, now === 'undoable' ? { label: t('undo'), run: undo } : undefined);
      })
      .catch(fail);
  };
  return { told, undo };
}
