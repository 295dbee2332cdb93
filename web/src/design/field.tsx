import { Eye, EyeOff } from 'lucide-react';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from './button.tsx';
import { useFault } from './checked-form.tsx';
import styles from './field.module.css';

interface Described {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The fault of the value, and how to correct it. */
  readonly error?: string | undefined;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** A label, a control, a hint and an error, associated for screen readers. */
function Field(props: Described & { optional: boolean; children: (wiring: Wiring) => ReactNode }) {
  const { label, hint, optional, children } = props;
  const t = useTranslations('common');
  const id = useId();
  const error = useFault(id) ?? props.error;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label} {optional && <span className={styles.optional}>({t('optional')})</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Whether to label it as optional. A field without a name belongs to no form: filters get no label. */
const mayStayEmpty = ({ name, required }: { name?: string | undefined; required?: boolean | undefined }) =>
  name !== undefined && !required;

type TextFieldProps = Described & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export function TextField({ label, hint, error, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={mayStayEmpty(rest)}>
      {(wiring) => <input className={styles.control} {...rest} {...wiring} />}
    </Field>
  );
}

/**
 * A text field whose value is in the URL. The URL follows with a delay, so until it loses the focus the field shows what was
 * typed; otherwise the cursor would jump and the next letter might be lost.
 */
export function AddressField({ value, onChange, onBlur, ...rest }: TextFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...rest}
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange?.(event);
      }}
      onBlur={(event) => {
        setTyped(undefined);
        onBlur?.(event);
      }}
    />
  );
}

/** A password field that can reveal its text and tells password managers whether the password is new. */
export function PasswordField({ label, hint, error, ...rest }: TextFieldProps & { autoComplete: string }) {
  const t = useTranslations('common');
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} optional={false}>
      {(wiring) => (
        <span className={styles.withButton}>
          <input
            className={styles.control}
            required
            {...rest}
            {...wiring}
            type={shown ? 'text' : 'password'}
          />
          <IconButton
            label={t(shown ? 'hidePassword' : 'showPassword')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
          </IconButton>
        </span>
      )}
    </Field>
  );
}

type TextAreaProps = Described &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> };

export function TextArea({ label, hint, error, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={mayStayEmpty(rest)}>
      {(wiring) => <textarea className={styles.control} {...rest} {...wiring} />}
    </Field>
  );
}

/** The browser's own select, which each device shows in the way its users know. */
export function Select({ label, hint, error, ...rest }: Described & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field label={label} hint={hint} error={error} optional={false}>
      {(wiring) => <select className={styles.control} {...rest} {...wiring} />}
    </Field>
  );
}

/** A switch that takes effect at once. */
export function Switch(props: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <button
        type="button"
        role="switch"
        className={styles.track}
        aria-labelledby={id}
        aria-checked={props.checked}
        disabled={props.disabled ?? false}
        onClick={() => props.onChange(!props.checked)}
      >
        <span className={styles.thumb} />
      </button>
      <div>
        <span id={id} className={styles.label}>
          {props.label}
        </span>
        {props.hint && <p className={styles.hint}>{props.hint}</p>}
      </div>
    </div>
  );
}
