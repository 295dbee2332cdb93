import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useFailureText, useFieldText } from '../text/failure.ts';
import { Button } from './button.tsx';
import { CheckedForm } from './checked-form.tsx';
import styles from './form.module.css';
import { Notice } from './notice.tsx';

/**
 * A form that sends its fields, shows the server's error at each field, and all other errors above its button.
 * @param props.send gets the values by the controls' names; the form shows what it throws
 */
export function Form<T>(props: {
  send: (values: Record<string, string>) => Promise<T>;
  onDone?: (result: T) => void;
  submit: string;
  /** Beside the button. */
  actions?: ReactNode;
  look?: 'primary' | 'danger';
  /** Empties the form after it was sent: for adding several, or for secrets. */
  clears?: boolean;
  /** Receives the server's error for a field. */
  children: (state: { errorOf(field: string): string | undefined }) => ReactNode;
}) {
  const { send, onDone, submit, actions, look = 'primary', clears = false, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      if (clears) form.current?.reset();
      onDone?.(result);
    },
  });
  const fieldText = useFieldText();
  const errorOf = (field: string) => fieldText(mutation.error, field);
  // The focus moves to the first wrong field.
  useEffect(() => {
    if (mutation.error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [mutation.error]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mutation.isPending) return;
    const values = new FormData(event.currentTarget);
    setShown(new Set([...values.keys()]));
    mutation.mutate(valuesOf(values));
  };
  return (
    <CheckedForm ref={form} className={styles.form} onSubmit={onSubmit}>
      {children({ errorOf })}
      <FormFailure error={mutation.error} shown={shown} />
      <div className={styles.actions}>
        <Button type="submit" look={look} busy={mutation.isPending}>
          {submit}
        </Button>
        {actions}
      </div>
    </CheckedForm>
  );
}

const valuesOf = (values: FormData) =>
  Object.fromEntries([...values].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** The part of an error that no field of the form shows. */
function FormFailure({ error, shown }: { error: Error | null; shown: ReadonlySet<string> }) {
  const text = useFailureText();
  const fieldText = useFieldText();
  if (!error) return null;
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  const others = fields.filter((field) => !shown.has(field));
  if (fields.length > 0 && others.length === 0) return null;
  // The reason of other errors is a constant for programs.
  if (!(error instanceof ApiError) || error.code !== 4002)
    return <Notice kind="danger">{text(error)}</Notice>;
  const detail = [...new Set(others.map((field) => fieldText(error, field, true)))].join(' ');
  return <Notice kind="danger">{detail || text(error)}</Notice>;
}
