import { useState } from 'react';
import { onDemand } from '../../design/on-demand.tsx';
import { loadTextsOf } from '../../text/index.tsx';
import { useOpenForm } from '../state/open-forms.ts';

const Forms = onDemand(async () => {
  const [{ Forms }] = await Promise.all([import('./forms.tsx'), loadTextsOf('blocks')]);
  return Forms;
});

/** The dialog for the forms of applications. It stays once it was open, so that it can return the focus. */
export function OpenForms() {
  const isOpen = useOpenForm() !== undefined;
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <Forms />;
}
