import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, callOne } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { signal } from '../../api/signal.ts';
import type { ShownForm } from '../../api/types.ts';
import { keepInTab, parsed, readOfTab } from '../../storage/tab.ts';

/*
 * The forms of applications that this tab has open. They lie on each other, and the last one is seen. Their ids, and what was
 * typed in them, outlive a reload.
 */

const FORMS = 'forms';
const typedIn = (form: string) => `form.${form}`;

interface Kept {
  readonly user: string;
  readonly forms: readonly string[];
}

const open = signal<readonly string[]>([]);
let user: string | undefined;

export const formQuery = (form: string) =>
  queryOptions({
    queryKey: ['form', form],
    queryFn: ({ signal }) => callOne<ShownForm>(`/v1/forms/${form}`, { signal }),
    // Events tell of each change.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The form that is seen. */
export const useOpenForm = (): string | undefined => open.useSelected((all) => all.at(-1));

export const isOpenForm = (form: string): boolean => open.get().includes(form);

function set(forms: readonly string[]): void {
  open.set(forms);
  const kept = forms.length > 0 && user !== undefined ? ({ user, forms } satisfies Kept) : undefined;
  keepInTab(FORMS, kept && JSON.stringify(kept));
}

/** Whether the server says that it is closed. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const load = (form: string) => queryClient.fetchQuery({ ...formQuery(form), staleTime: 0 });

/** Shows a form once it is loaded, or once it is known that it cannot be. */
export async function openForm(form: string): Promise<void> {
  try {
    const { below } = await load(form);
    const others = open.get().filter((one) => one !== form);
    const isMissing = below !== undefined && !others.includes(below);
    set([...others, ...(isMissing ? [below] : []), form]);
  } catch (error) {
    // The dialog says what is wrong, and tries again.
    if (!isGone(error)) set([...open.get().filter((one) => one !== form), form]);
    else if (isOpenForm(form)) await leaveForm(form);
  }
}

/** Loads a form again. @param form all that are open without it */
export async function refreshForm(form?: string): Promise<void> {
  const { queryKey } = formQuery(form ?? '');
  await queryClient.invalidateQueries({ queryKey: form === undefined ? queryKey.slice(0, 1) : queryKey });
}

/** Leaves a form that is closed, for the one on which it lay, if that is there still. */
export async function leaveForm(form: string): Promise<void> {
  keepInTab(typedIn(form), undefined);
  await show(
    open.get().filter((one) => one !== form),
    form,
  );
}

/** Shows the last of some forms that is there still. @param left the one that is left for them */
async function show(forms: readonly string[], left?: string): Promise<void> {
  const there = [...forms];
  for (let last = there.at(-1); last !== undefined; last = there.at(-1)) {
    const isThere = await load(last).then(
      () => true,
      (error: unknown) => !isGone(error),
    );
    if (isThere) break;
    keepInTab(typedIn(last), undefined);
    there.pop();
  }
  // Another one may have been opened meanwhile.
  const since = open.get().filter((one) => one !== left && !forms.includes(one));
  set([...there, ...since]);
}

/** Those that this window has asked to close. */
const leaving = new Set<string>();
export const isLeaving = (form: string): boolean => leaving.has(form);

/** Closes a form for good. */
export async function closeForm(form: string): Promise<void> {
  leaving.add(form);
  // What the server does not hear of ends there by itself.
  await call(`/v1/forms/${form}`, { method: 'DELETE' }).catch(() => undefined);
  await leaveForm(form);
}

/** After a reload: shows what was open. @param of whose window this is */
export function restoreForms(of: string): void {
  user = of;
  const kept = parsed<Kept>(readOfTab(FORMS));
  if (kept?.user === of) void show(kept.forms);
  else {
    for (const form of kept?.forms ?? []) keepInTab(typedIn(form), undefined);
    set([]);
  }
}

/** What was typed in a form, as it was kept. */
export const readTyped = <T>(form: string): T | undefined => parsed<T>(readOfTab(typedIn(form)));

export const keepTyped = (form: string, typed: unknown): void =>
  keepInTab(typedIn(form), JSON.stringify(typed));
