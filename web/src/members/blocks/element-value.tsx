import { createContext, useContext, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Confirm as Question } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { type Act, choose, useChoice, usePress } from './acting.ts';
import { useBlockId, useBlocks } from './context.ts';
import styles from './elements.module.css';
import type { Value } from './values.ts';
import { plainOf, Words } from './words.tsx';

/** The label around the element of an input block. */
interface Labelled {
  readonly label: string;
  /** The ids of what is said about it below it. */
  readonly described: string | undefined;
  readonly isWrong: boolean;
  readonly isRequired: boolean;
  /** Whether its application hears of each choice at once. */
  readonly isTold: boolean;
}

const Label = createContext<Labelled | undefined>(undefined);
export const LabelProvider = Label.Provider;
export const useLabelled = () => useContext(Label);

/** What is typed is for an application: a browser and a password manager offer nothing for it. */
export const UNFILLED = {
  autoComplete: 'off',
  'data-1p-ignore': true,
  'data-lpignore': 'true',
  'data-bwignore': 'true',
  'data-form-type': 'other',
} as const;

/** The attributes of a control, beside its name and its value. */
export function useControl() {
  const labelled = useLabelled();
  return {
    ...UNFILLED,
    'aria-describedby': labelled?.described,
    'aria-invalid': labelled?.isWrong || undefined,
    'aria-required': labelled?.isRequired || undefined,
  } as const;
}

type Told = Pick<Act, 'value' | 'values'>;

interface Acting {
  readonly action_id?: string;
  readonly confirm?: Question;
}

/**
 * What an element tells its application, after a question if it has one.
 * @returns `dialog` has to be shown
 */
export function useAction({ action_id = '', confirm }: Acting) {
  const { surface, act } = useBlocks();
  const block_id = useBlockId();
  const press = usePress(surface, block_id, action_id);
  const [asked, setAsked] = useState<{ told: Told; undo?: (() => void) | undefined }>();
  const send = (told: Told) => act?.({ block_id, action_id, ...told });
  const isUnderWay = press?.status === 'sent' || press?.status === 'pending';
  return {
    isAble: act !== undefined,
    isBusy: isUnderWay && press.isSlow,
    /** @param undo takes back the choice, if the person does not confirm it */
    tell: (told: Told, undo?: () => void) => (confirm ? setAsked({ told, undo }) : send(told)),
    dialog: confirm && (
      <Asked
        question={confirm}
        open={asked !== undefined}
        onClose={(isAgreed) => {
          if (!isAgreed) asked?.undo?.();
          setAsked(undefined);
        }}
        act={() => asked && send(asked.told)}
      />
    ),
  };
}

/** The question of an application: it has the application's icon and name, so that it cannot pass for ours. */
function Asked(props: {
  question: Question;
  open: boolean;
  onClose: (isAgreed: boolean) => void;
  act: () => void;
}) {
  const { question, open, onClose, act } = props;
  const t = useTranslations('blocks');
  const { application } = useBlocks();
  const { title, text, confirm, deny, style } = question;
  return (
    <Confirm
      open={open}
      onClose={() => onClose(false)}
      from={
        <p className={styles.asker}>
          <ApplicationIcon application={application} size="small" />
          <span>{t.rich('asks', { name: () => <bdi>{application.name}</bdi> })}</span>
        </p>
      }
      title={title ? plainOf(title) : t('sure')}
      description={<Words text={text} />}
      action={confirm ? plainOf(confirm) : t('yes')}
      {...(deny && { cancel: plainOf(deny) })}
      look={style === 'danger' ? 'danger' : 'primary'}
      act={async () => {
        act();
        onClose(true);
      }}
    />
  );
}

/** The value of an element, and how to change it. An application hears of it, unless the element is in a form. */
export function useElementValue<V extends Value>(element: Acting, initial: V) {
  const { surface } = useBlocks();
  const block_id = useBlockId();
  const labelled = useLabelled();
  const { tell, ...action } = useAction(element);
  const at = { block_id, action_id: element.action_id ?? '' };
  const value = useChoice(surface, block_id, at.action_id, initial) as V;
  const hold = (next: V, isTold = false) => choose(surface, at, { value: next, initial, isTold });
  return {
    ...action,
    value,
    hold,
    /** @param back is held again, if the person does not confirm it */
    tell: (next: V, back: V = value) => {
      if (labelled && !labelled.isTold) return hold(next);
      hold(next, true);
      const told = typeof next === 'string' ? { value: next } : { values: next as readonly string[] };
      tell(told, () => hold(back));
    },
  };
}

export type ElementValue<V extends Value> = ReturnType<typeof useElementValue<V>>;

/** The name of an element: its label, else its placeholder, else that of its kind. */
export function useName(placeholder: { text: string; emoji?: boolean } | undefined, kind: string): string {
  const labelled = useLabelled();
  return labelled?.label ?? (placeholder ? plainOf(placeholder) : kind);
}
