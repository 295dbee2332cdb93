import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Unreachable } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { onLive } from '../../api/live.ts';
import { serverQuery } from '../../api/queries.ts';
import { signal } from '../../api/signal.ts';
import { alone } from '../../storage/alone.ts';
import { kept } from '../../storage/kept.ts';
import { choose, uploaded, withoutWaiting } from './draft-files.ts';
import type { Change, Draft, Waiting } from './drafts.ts';
import { uploadFile } from './upload.ts';

/** The server's limit for one message. */
export const MOST_FILES = 20;
const NOT_TOLD = 25 * 1024 * 1024;

/** How far the upload of a file is. */
interface State {
  /** Between 0 and 1. */
  readonly progress: number;
  /** `lost`: its bytes are in no window of this browser. */
  readonly error?: 'tooLarge' | 'lost' | Error;
}

/** A file on its way to the server. */
export type Upload = Waiting & State;

export interface Uploads {
  readonly running: readonly Upload[];
  readonly maxBytes: number;
  add(files: readonly File[]): void;
  retry(upload: Upload): void;
  remove(upload: Upload): void;
}

const BEGUN: State = { progress: 0 };
/** By the file's key. Shared, not a field's own: an upload goes on when the field has gone. */
const states = signal<ReadonlyMap<string, State>>(new Map());

function setState(key: string, state: State | undefined): void {
  const next = new Map(states.get());
  if (state) next.set(key, state);
  else next.delete(key);
  states.set(next);
}

/**
 * Uploads one file of a draft, in one window of the browser: the others wait, in case that window is closed. It ends
 * when the draft no longer waits for the file, in whichever window that was decided.
 */
async function upload({ key, name }: Waiting, now: () => Draft, change: Change): Promise<void> {
  setState(key, BEGUN);
  await alone(`parley.upload.${key}`, async () => {
    const abort = new AbortController();
    const endIfUnwanted = () => {
      if (!now().waiting?.some((one) => one.key === key)) abort.abort();
    };
    const endWatch = kept.watch(endIfUnwanted);
    endIfUnwanted();
    try {
      const bytes = await kept.file(key);
      abort.signal.throwIfAborted();
      if (!bytes) return setState(key, { ...BEGUN, error: 'lost' });
      const onProgress = (progress: number) => setState(key, { progress });
      const attachment = await uploadFile({ key, name, bytes }, onProgress, abort.signal);
      endWatch();
      change((draft) => uploaded(draft, key, attachment));
      setState(key, undefined);
    } catch (error) {
      setState(key, abort.signal.aborted ? undefined : { ...BEGUN, error: error as Error });
    } finally {
      endWatch();
    }
  });
}

/**
 * Uploads files as soon as they are chosen; the message refers to them by id. The browser keeps the bytes until the
 * message is sent, so that an upload can begin again in a later window.
 */
export function useUploads(draft: Draft, now: () => Draft, change: Change): Uploads {
  const { data: server } = useQuery(serverQuery);
  const maxBytes = server?.max_upload_bytes ?? NOT_TOLD;
  const known = states.useValue();
  const stateOf = ({ key, size }: Waiting): State =>
    size > maxBytes ? { ...BEGUN, error: 'tooLarge' } : (known.get(key) ?? BEGUN);
  const running = (draft.waiting ?? []).map((one) => ({ ...one, ...stateOf(one) }));
  const begin = (one: Waiting) => void upload(one, now, change);
  const latest = useRef({ running, begin });
  latest.current = { running, begin };
  useEffect(() => {
    for (const one of draft.waiting ?? []) {
      if (one.size <= maxBytes && !states.get().has(one.key)) latest.current.begin(one);
    }
  }, [draft.waiting, maxBytes]);
  useEffect(() => {
    const retryLost = () => {
      for (const one of latest.current.running) {
        if (one.error instanceof Unreachable) latest.current.begin(one);
      }
    };
    addEventListener('online', retryLost);
    // The server was away, and not the network.
    const endReady = onLive('ready', retryLost);
    return () => {
      removeEventListener('online', retryLost);
      endReady();
    };
  }, []);
  const add = (files: readonly File[]) => {
    const fresh = files.map((file) => ({ file, key: newKey() }));
    const waiting = fresh.map(({ key, file: { name, size } }) => ({ key, name, size }));
    change((before) => choose(before, waiting));
    for (const { key, file } of fresh) if (file.size <= maxBytes) kept.addFile(key, file);
  };
  const remove = ({ key }: Upload) => {
    change((before) => withoutWaiting(before, key));
    setState(key, undefined);
    kept.removeFile(key);
  };
  return { running, maxBytes, add, retry: begin, remove };
}
