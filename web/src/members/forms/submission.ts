import { ApiError, mayPass } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Block } from '../../api/types.ts';
import { stateOf } from '../blocks/acting.ts';
import { formSurface } from '../blocks/surface.ts';
import type { States } from '../blocks/values.ts';
import { formQuery, leaveForm, openForm } from '../state/open-forms.ts';
import {
  type Ask,
  ask,
  askAgain,
  follow,
  type Interaction,
  keyOf,
  NO_BLOCK,
  type Press,
} from '../state/presses.ts';

/** By which it is told from clicks in the form. */
export const submissionKey = (form: string): string => keyOf(form, NO_BLOCK, 'submission');

/** What was sent last, by form: an error is about that. */
const sent = new Map<string, States>();

const submissionOf = (form: string, blocks: readonly Block[]): Ask => ({
  what: form,
  path: `/v1/forms/${form}/submission`,
  body: () => {
    const state = stateOf(formSurface(form), blocks);
    sent.set(form, state);
    return { state, hash: queryClient.getQueryData(formQuery(form).queryKey)?.hash };
  },
  whenDone: (next) => (next === undefined ? leaveForm(form) : openForm(next)),
});

/** Gives what was filled in to the application. */
export const submit = (form: string, blocks: readonly Block[]): void =>
  ask(submissionKey(form), submissionOf(form, blocks));

export const submitAgain = (form: string, blocks: readonly Block[], before: Press): void =>
  askAgain(submissionKey(form), { ...before, ask: submissionOf(form, blocks) });

/** Waits for the answer to what was sent before a reload. */
export const followSubmission = (form: string, blocks: readonly Block[], submission: Interaction): void =>
  follow(submissionKey(form), submissionOf(form, blocks), submission);

/** Whether a block holds what was sent, so that an error is about it still. */
export const isAsSent = (form: string, block_id: string, now: States): boolean => {
  const before = sent.get(form);
  return !before || JSON.stringify(before[block_id]) === JSON.stringify(now[block_id]);
};

/** Whether the form was another one when it was sent. */
export const isChanged = (error: unknown): boolean =>
  error instanceof ApiError && !mayPass(error) && error.reason === 'form_changed';
