import { Dialog } from '@base-ui/react/dialog';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Block, ShownForm } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { tell } from '../../design/toast.tsx';
import { useFailureText, useValueText } from '../../text/failure.ts';
import { isBegun, useStateOf } from '../blocks/acting.ts';
import { ApplicationBlocks, useKnown } from '../blocks/application-blocks.tsx';
import { PressStatus } from '../blocks/press-status.tsx';
import { formSurface } from '../blocks/surface.ts';
import { isGone, leaveForm, refreshForm } from '../state/open-forms.ts';
import { type Press, usePressAt } from '../state/presses.ts';
import { CloseButton, type Closing, Whose } from './dialog-head.tsx';
import { blockIdsIn, type Faults, isOfFields, refusedIn, ruleOfForm } from './faults.ts';
import styles from './form.module.css';
import { followSubmission, isAsSent, isChanged, submissionKey, submit, submitAgain } from './submission.ts';

const NO_BLOCKS: readonly Block[] = [];
const NONE: Faults = {};
const WRONG = '[aria-invalid="true"], [data-invalid="true"] input';

/** A form that somebody fills in for an application. */
export function Form(props: { form: ShownForm; closing: Closing; close: () => void }) {
  const { form, closing, close } = props;
  const t = useTranslations('blocks.form');
  const surface = formSurface(form.id);
  const known = useKnown(form.blocks);
  const blocks = known ?? NO_BLOCKS;
  // What cannot be shown cannot be filled in.
  const mayBeSent = form.submit !== undefined && known !== undefined;
  const field = useRef<HTMLFormElement>(null);
  const press = usePressAt(submissionKey(form.id));
  const [asked, setAsked] = useState(false);
  const { faults, checks, other } = useFaults(form, blocks, press, field);
  const isSending = press?.status === 'sent' || press?.status === 'pending';
  useEarlierSubmission(form, blocks);
  useLeaving(form, press);
  closing.ask = () => {
    if (isBegun(surface, blocks)) setAsked(true);
    else close();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A window that lies on it is a child of it, too.
    if (event.target === field.current && mayBeSent && !isSending && checks()) submit(form.id, blocks);
  };
  const { application } = form;
  const name = application.name;
  return (
    <>
      <div className={styles.head}>
        <Whose application={application} />
        <CloseButton />
        <Confirm
          open={asked}
          onClose={() => setAsked(false)}
          title={t('discardTitle')}
          description={t('discardText', { name })}
          action={t('discard')}
          cancel={t('keep')}
          act={async () => close()}
        />
      </div>
      <Dialog.Title className={styles.title} dir="auto">
        {form.title}
      </Dialog.Title>
      <Dialog.Description className={styles.note}>{t('goesTo', { name })}</Dialog.Description>
      <form
        ref={field}
        className={styles.form}
        autoComplete="off"
        noValidate
        onSubmit={onSubmit}
        onKeyDown={(event) => submitsByKey(event) && field.current?.requestSubmit()}
      >
        <ApplicationBlocks surface={surface} shown={form} faults={faults} />
        <div className={styles.foot}>
          {other !== undefined && <Notice kind="danger">{other}</Notice>}
          <div role="status">
            {press && !isSaid(press) && (
              <PressStatus
                press={press}
                application={name}
                again={() => submitAgain(form.id, blocks, press)}
              />
            )}
          </div>
          <div className={styles.actions}>
            <Button onClick={() => closing.ask?.()}>
              <bdi>{form.close ?? t('close')}</bdi>
            </Button>
            {mayBeSent && (
              <Button type="submit" look="primary" busy={isSending}>
                <bdi>{form.submit}</bdi>
              </Button>
            )}
          </div>
        </div>
      </form>
    </>
  );
}

/** From a field of several lines, where Enter begins another one. */
const submitsByKey = ({ key, ctrlKey, metaKey, target, nativeEvent }: KeyboardEvent<HTMLFormElement>) =>
  key === 'Enter' &&
  (ctrlKey || metaKey) &&
  !nativeEvent.isComposing &&
  (target as Element).closest('form') !== null;

/** Whether fields, or a sentence above the buttons, say how it failed. */
const isSaid = ({ error }: Press): boolean => isChanged(error) || isOfFields(error);

/** Leaves a form that was closed before it could be sent. */
function useLeaving({ id, application }: ShownForm, press: Press | undefined): void {
  const t = useTranslations('blocks.form');
  const isClosed = press?.status === 'failed' && isGone(press.error);
  useEffect(() => {
    if (!isClosed) return;
    tell(t('closed', { name: application.name }));
    void leaveForm(id);
  }, [isClosed, id, application.name, t]);
}

/** What was submitted before a reload, and is not answered yet. */
function useEarlierSubmission({ id, submission }: ShownForm, blocks: readonly Block[]): void {
  const isPending = submission?.status === 'pending';
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is one submission
  useEffect(() => {
    if (submission && isPending) followSubmission(id, blocks, submission);
  }, [id, submission?.id, isPending]);
}

/**
 * What is wrong in a form: by its fields themselves, by the server, and by the application.
 * @returns `checks` looks at the fields and says whether they can be sent; `other` is what is wrong with no block
 */
function useFaults(
  form: ShownForm,
  blocks: readonly Block[],
  press: Press | undefined,
  field: { readonly current: HTMLFormElement | null },
) {
  const t = useTranslations('blocks.form');
  const failure = useFailureText();
  const refusal = useRefusal();
  const state = useStateOf(formSurface(form.id), blocks);
  const [own, setOwn] = useState<{ faults: Faults; state: typeof state }>({ faults: NONE, state });
  const error = press?.status === 'failed' ? press.error : undefined;
  const refused = refusedIn(error, blocks);
  const blockIds = blockIdsIn(blocks);
  const said = Object.entries(form.errors ?? NONE);
  const server = Object.entries(refused.faults).map(([block, message]) => [block, refusal(message)] as const);
  const isOwn = (block: string) => JSON.stringify(own.state[block]) === JSON.stringify(state[block]);
  const faults: Faults = Object.fromEntries([
    ...[...said, ...server].filter(([block]) => isAsSent(form.id, block, state)),
    ...Object.entries(own.faults).filter(([block]) => isOwn(block)),
  ]);
  const changed = isChanged(error);
  useEffect(() => {
    if (changed) void refreshForm(form.id);
  }, [changed, form.id]);
  // The focus moves to the first wrong field, once for each answer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same errors once more have another hash
  useEffect(() => {
    if (error !== undefined || form.errors !== undefined || own.faults !== NONE)
      field.current?.querySelector<HTMLElement>(WRONG)?.focus();
  }, [error, form.errors, form.hash, own.faults, field]);
  const elsewhere = said.filter(([block]) => !blockIds.has(block)).map(([, message]) => message);
  return {
    faults,
    checks() {
      const found = Object.fromEntries(badNumbersIn(field.current).map((block) => [block, t('notANumber')]));
      const isFine = Object.keys(found).length === 0;
      setOwn({ faults: isFine ? NONE : found, state });
      return isFine;
    },
    other: changed
      ? failure(error)
      : isOfFields(error)
        ? refused.others
          ? failure(error)
          : t('check')
        : elsewhere.join(' ') || undefined,
  };
}

/** @returns a function that says why the server takes no such value */
function useRefusal(): (sentence: string) => string {
  const t = useTranslations('blocks.form.rules');
  const valueText = useValueText();
  return (sentence) => {
    const own = ruleOfForm(sentence);
    return own ? t(own.rule, own.values) : valueText(sentence);
  };
}

/** Numbers that are none, by the ids of blocks: the browser hides from us what was typed, so that it could not be sent. */
function badNumbersIn(form: HTMLFormElement | null): string[] {
  const controls = [...(form?.querySelectorAll<HTMLInputElement>('[data-block] input') ?? [])];
  const bad = controls.filter(({ validity }) => validity.badInput);
  return bad.map((control) => control.closest('[data-block]')?.getAttribute('data-block') ?? '');
}
