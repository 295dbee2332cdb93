import styles from './account.module.css';

interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly name: string;
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
  readonly choices: readonly { readonly value: T; readonly label: string; readonly lang?: string }[];
}

/** A choice among a few visible options. */
export function Choices<T extends string>({ label, name, chosen, onChoose, choices }: ChoicesProps<T>) {
  return (
    <fieldset className={styles.choices} aria-label={label}>
      {choices.map(({ value, label: text, lang }) => (
        <label key={value} className={styles.choice} lang={lang}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
