import {
  type ComponentProps,
  createContext,
  type FormEvent,
  type KeyboardEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Control, useFaultText } from '../text/failure.ts';
import { isOfInputMethod } from './hands.ts';

/** By the id of the control. */
type Faults = Readonly<Record<string, string>>;

const NONE: Faults = {};
const FaultsOfForm = createContext(NONE);

/** The fault that its form has found in a control before sending. */
export const useFault = (id: string): string | undefined => useContext(FaultsOfForm)[id];

/** From a field of several lines, where Enter begins another one. What a dialog above the form has is not the form's. */
const submitsByKey = (event: KeyboardEvent<HTMLFormElement>): boolean =>
  event.key === 'Enter' &&
  (event.ctrlKey || event.metaKey) &&
  !isOfInputMethod(event.nativeEvent) &&
  event.target instanceof HTMLTextAreaElement &&
  event.target.form === event.currentTarget;

/** A form that says at each field what is wrong, in the reader's language and not in the browser's. */
export function CheckedForm({ onSubmit, children, ...rest }: ComponentProps<'form'>) {
  const faultText = useFaultText();
  const checked = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState(NONE);
  const [refused, setRefused] = useState(0);
  // The focus moves to the first wrong field.
  useEffect(() => {
    if (refused > 0) checked.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  const check: NonNullable<typeof onSubmit> = (event) => {
    checked.current = event.currentTarget;
    const wrong = controlsOf(event.currentTarget).filter(({ validity }) => !validity.valid);
    setFaults(Object.fromEntries(wrong.map((control) => [control.id, faultText(control)])));
    if (wrong.length === 0) return onSubmit?.(event);
    event.preventDefault();
    setRefused(refused + 1);
  };
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const { id, validity } = target as Control;
    if (faults[id] !== undefined && validity.valid) setFaults(({ [id]: _, ...others }) => others);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (submitsByKey(event)) event.currentTarget.requestSubmit();
  };
  return (
    <FaultsOfForm value={faults}>
      <form {...rest} noValidate onSubmit={check} onInput={onInput} onKeyDown={onKeyDown}>
        {children}
      </form>
    </FaultsOfForm>
  );
}

const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((one): one is Control => 'validity' in one && (one as Control).willValidate);
