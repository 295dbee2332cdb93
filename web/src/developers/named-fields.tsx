import { Plus, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import type { Application } from '../api/types.ts';
import { Button, IconButton } from '../design/button.tsx';
import { Select, TextField } from '../design/field.tsx';
import styles from './developers.module.css';

export type CommandDraft = Required<Application['commands'][number]>;
export type ShortcutDraft = Application['shortcuts'][number];

const NO_COMMAND: CommandDraft = { name: '', description: '', hint: '' };
const NO_SHORTCUT: ShortcutDraft = { action_id: '', name: '', on: 'message' };
/** Of one application. */
const MOST = 25;

type ErrorOf = (field: string) => string | undefined;

/** What members ask the application for behind a slash. */
export function CommandFields(props: {
  commands: readonly CommandDraft[];
  onChange: (commands: CommandDraft[]) => void;
  errorOf: ErrorOf;
}) {
  const { commands, onChange, errorOf } = props;
  const t = useTranslations('developers.fields');
  return (
    <NamedRows
      title={t('commands')}
      lead={t('commandsHint')}
      rows={commands}
      blank={NO_COMMAND}
      onChange={onChange}
      add={t('addCommand')}
      labelOf={(number) => t('command', { number })}
      removeLabel={(number) => t('removeCommand', { number })}
    >
      {(row, index, set) => {
        const field = textOf(`commands.${index}`, row, set, errorOf);
        return (
          <>
            <TextField
              label={t('commandName')}
              hint={t('commandNameHint')}
              required
              maxLength={32}
              spellCheck={false}
              autoCapitalize="none"
              {...field('name')}
            />
            <TextField label={t('commandDoes')} required maxLength={100} {...field('description')} />
            <TextField
              label={t('commandArguments')}
              hint={t('commandArgumentsHint')}
              maxLength={100}
              {...field('hint')}
            />
          </>
        );
      }}
    </NamedRows>
  );
}

/** What members ask it for in the menu of a message, or by Ctrl-K in a team. */
export function ShortcutFields(props: {
  shortcuts: readonly ShortcutDraft[];
  onChange: (shortcuts: ShortcutDraft[]) => void;
  errorOf: ErrorOf;
}) {
  const { shortcuts, onChange, errorOf } = props;
  const t = useTranslations('developers.fields');
  return (
    <NamedRows
      title={t('shortcuts')}
      lead={t('shortcutsHint')}
      rows={shortcuts}
      blank={NO_SHORTCUT}
      onChange={onChange}
      add={t('addShortcut')}
      labelOf={(number) => t('shortcut', { number })}
      removeLabel={(number) => t('removeShortcut', { number })}
    >
      {(row, index, set) => {
        const field = textOf(`shortcuts.${index}`, row, set, errorOf);
        return (
          <>
            <TextField
              label={t('shortcutName')}
              hint={t('shortcutNameHint')}
              required
              maxLength={50}
              {...field('name')}
            />
            <TextField
              label={t('shortcutId')}
              hint={t('shortcutIdHint')}
              required
              maxLength={100}
              dir="ltr"
              spellCheck={false}
              autoCapitalize="none"
              {...field('action_id')}
            />
            <Select
              label={t('shortcutOn')}
              name={`shortcuts.${index}.on`}
              value={row.on}
              onChange={({ target }) => set({ ...row, on: target.value as ShortcutDraft['on'] })}
              error={errorOf(`shortcuts.${index}.on`)}
            >
              <option value="message">{t('shortcutOnMessage')}</option>
              <option value="team">{t('shortcutOnTeam')}</option>
            </Select>
          </>
        );
      }}
    </NamedRows>
  );
}

/** @returns what a text field of a row needs, by the name that the server has for it */
const textOf =
  <Row extends object>(at: string, row: Row, set: (row: Row) => void, errorOf: ErrorOf) =>
  (name: keyof Row & string) => ({
    name: `${at}.${name}`,
    value: String(row[name]),
    onChange: ({ target }: { target: HTMLInputElement }) => set({ ...row, [name]: target.value }),
    error: errorOf(`${at}.${name}`),
  });

/** Rows of fields. The focus goes to a row that was added, and stays near one that was removed. */
function NamedRows<Row>(props: {
  title: string;
  lead: string;
  rows: readonly Row[];
  blank: Row;
  onChange: (rows: Row[]) => void;
  add: string;
  labelOf: (number: number) => string;
  removeLabel: (number: number) => string;
  children: (row: Row, index: number, set: (row: Row) => void) => ReactNode;
}) {
  const { title, lead, rows, blank, onChange, add, labelOf, removeLabel, children } = props;
  const place = useRef<HTMLFieldSetElement>(null);
  const change = (next: Row[], focused: number) => {
    // The element to focus exists only after the change is rendered.
    flushSync(() => onChange(next));
    const row = place.current?.querySelectorAll('[role=group]').item(focused);
    (row ?? place.current)?.querySelector<HTMLElement>('input, button')?.focus();
  };
  return (
    <fieldset className={styles.group} ref={place}>
      <legend>{title}</legend>
      <p className={styles.soft}>{lead}</p>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what names one, as in the server's errors
        // biome-ignore lint/a11y/useSemanticElements: a legend would look like that of the whole
        <div key={index} role="group" aria-label={labelOf(index + 1)} className={styles.named}>
          <div className={styles.choices}>
            {children(row, index, (next) => onChange(rows.with(index, next)))}
          </div>
          <IconButton
            label={removeLabel(index + 1)}
            onClick={() => change(rows.toSpliced(index, 1), Math.min(index, rows.length - 2))}
          >
            <X size={18} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button small disabled={rows.length >= MOST} onClick={() => change([...rows, blank], rows.length)}>
          <Plus size={16} aria-hidden />
          {add}
        </Button>
      </div>
    </fieldset>
  );
}
