import { Paperclip } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import styles from './composer.module.css';

/** A field whose message takes files. */
interface Taker {
  readonly field: RefObject<HTMLElement | null>;
  readonly take: (files: readonly File[]) => void;
  /** Says that what is dragged would go there. */
  readonly show: (isShown: boolean) => void;
}

const takers = new Set<Taker>();
let shown: Taker | undefined;
/** A picture or a link of the page itself is being dragged. */
let isOwn = false;

/** What belongs together: an edited message is for itself. */
const SCOPE = '[data-scope], [data-edit]';
/** These take what is dropped on them alone. */
const BESIDE = '[data-conversation], [data-edit]';
const OVER_ALL = '[role="dialog"], [role="alertdialog"]';

/**
 * Files that are dropped anywhere on the page go to the field of what is below the pointer: a conversation that is open
 * beside the stream, or else the stream.
 * @returns whether files are held over the page that would come here
 */
export function useFileDrop(
  field: RefObject<HTMLElement | null>,
  take: (files: readonly File[]) => void,
): boolean {
  const [isShown, show] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const taker: Taker = { field, take: (files) => latest.current(files), show };
    if (takers.size === 0) for (const [type, listen] of LISTENERS) addEventListener(type, listen);
    takers.add(taker);
    return () => {
      takers.delete(taker);
      if (shown === taker) shown = undefined;
      if (takers.size === 0) for (const [type, listen] of LISTENERS) removeEventListener(type, listen);
    };
  }, [field]);
  return isShown;
}

/** Where files would go: over the field and what is around it. */
export function DropSign() {
  const t = useTranslations('members.composer');
  return (
    <p className={styles.dropSign}>
      <Paperclip size={18} aria-hidden />
      {t('drop')}
    </p>
  );
}

function showAt(taker: Taker | undefined): void {
  if (taker === shown) return;
  shown?.show(false);
  shown = taker;
  taker?.show(true);
}

function takerOf({ target, dataTransfer, defaultPrevented }: DragEvent): Taker | undefined {
  if (isOwn || defaultPrevented || !dataTransfer?.types.includes('Files')) return undefined;
  if (document.querySelector(OVER_ALL)) return undefined;
  const scopeOf = (element: Element | null) => element?.closest(SCOPE) ?? null;
  const all = [...takers].filter(({ field }) => field.current?.checkVisibility());
  const here = scopeOf(target instanceof Element ? target : null);
  const inScope = (scope: Element | null) => all.find(({ field }) => scopeOf(field.current) === scope);
  return inScope(here) ?? all.find(({ field }) => !field.current?.closest(BESIDE)) ?? all[0];
}

const onDragOver = (event: DragEvent): void => {
  const taker = takerOf(event);
  showAt(taker);
  if (taker) event.preventDefault();
};

const onDrop = (event: DragEvent): void => {
  const taker = takerOf(event);
  showAt(undefined);
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!taker || files.length === 0) return;
  event.preventDefault();
  taker.take(files);
};

/** The pointer has left the window. */
const onDragLeave = ({ relatedTarget }: DragEvent): void => {
  if (relatedTarget === null) showAt(undefined);
};

const onDragStart = (): void => {
  isOwn = true;
};

const onDragEnd = (): void => {
  isOwn = false;
};

const LISTENERS = [
  ['dragover', onDragOver],
  ['drop', onDrop],
  ['dragleave', onDragLeave],
  ['dragstart', onDragStart],
  ['dragend', onDragEnd],
] as [string, (event: Event) => void][];
