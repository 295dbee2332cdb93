import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Failure, Loading } from '../../design/states.tsx';
import { restoreChoices } from '../blocks/acting.ts';
import { formSurface } from '../blocks/surface.ts';
import { closeForm, formQuery, isGone, leaveForm, useOpenForm } from '../state/open-forms.ts';
import { CloseButton, type Closing } from './dialog-head.tsx';
import styles from './form.module.css';
import { Form } from './form.tsx';
import { useLiveForms } from './live-forms.ts';

/** The dialog in which the forms of applications are filled in, one at a time. */
export function Forms() {
  const form = useOpenForm();
  const [last, setLast] = useState(form);
  if (form !== undefined && form !== last) setLast(form);
  const closing = useRef<Closing>({ ask: undefined });
  const popup = useRef<HTMLDivElement>(null);
  useLiveForms();
  useFocusOf(form, popup);
  return (
    <Dialog.Root open={form !== undefined} onOpenChange={(next) => !next && closing.current.ask?.()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup ref={popup} className={styles.dialog} initialFocus={() => firstIn(popup.current)}>
          {last !== undefined && <Opened key={last} form={last} closing={closing.current} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** From one form to another, the focus moves to the first field of that. The dialog does so when it opens. */
function useFocusOf(form: string | undefined, popup: RefObject<HTMLDivElement | null>): void {
  const before = useRef(form);
  useEffect(() => {
    if (form !== undefined && before.current !== undefined && form !== before.current)
      firstIn(popup.current)?.focus();
    before.current = form;
  }, [form, popup]);
}

const FIELDS = 'input, textarea, select, [role="combobox"]';

/** The first field, else the first button, of a form. */
function firstIn(popup: HTMLElement | null): HTMLElement | null {
  const form = popup?.querySelector('form');
  const isUsable = (one: HTMLElement) => !one.matches(':disabled');
  const all = (selector: string) => [...(form?.querySelectorAll<HTMLElement>(selector) ?? [])].find(isUsable);
  return all(FIELDS) ?? all('button') ?? popup;
}

function Opened({ form, closing }: { form: string; closing: Closing }) {
  const query = useQuery(formQuery(form));
  useState(() => restoreChoices(formSurface(form)));
  const isClosed = isGone(query.error);
  useEffect(() => {
    if (isClosed) void leaveForm(form);
  }, [form, isClosed]);
  const close = () => void closeForm(form);
  if (query.data) return <Form form={query.data} closing={closing} close={close} />;
  return <Unloaded query={query} closing={closing} close={close} />;
}

/** While there is nothing to show of a form, as without a connection. */
function Unloaded(props: {
  query: { error: unknown; refetch: () => unknown };
  closing: Closing;
  close: () => void;
}) {
  const { query, closing, close } = props;
  closing.ask = close;
  return (
    <>
      <Dialog.Title className="visually-hidden">…</Dialog.Title>
      <div className={styles.head}>
        <CloseButton />
      </div>
      {query.error ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading rows={3} />
      )}
    </>
  );
}
