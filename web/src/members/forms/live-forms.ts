import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../../api/live.ts';
import { queryClient } from '../../api/queries.ts';
import { tell } from '../../design/toast.tsx';
import { formQuery, isLeaving, isOpenForm, leaveForm, refreshForm } from '../state/open-forms.ts';
import { isUnderWayAt } from '../state/presses.ts';
import { submissionKey } from './submission.ts';

/** Keeps the forms of this tab current, and leaves those that are closed elsewhere. */
export function useLiveForms(): void {
  const t = useTranslations('blocks.form');
  useEffect(() => {
    const onClosed = (id: string) => {
      // The answer to a submission, or to closing it here, does the rest.
      if (isLeaving(id) || isUnderWayAt(submissionKey(id))) return;
      const form = queryClient.getQueryData(formQuery(id).queryKey);
      if (form) tell(t('closed', { name: form.application.name }));
      void leaveForm(id);
    };
    const ends = [
      onLive('form', ({ id, change }) => {
        if (!isOpenForm(id)) return;
        if (change === 'closed') onClosed(id);
        else void refreshForm(id);
      }),
      onLive('ready', () => void refreshForm()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [t]);
}
