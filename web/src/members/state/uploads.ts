import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, Unreachable } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { serverQuery } from '../../api/queries.ts';
import type { Attachment } from '../../api/types.ts';

/** The server's limit for one message. */
export const MOST_FILES = 20;
const NOT_TOLD = 25 * 1024 * 1024;

/** A file on its way to the server. */
export interface Upload {
  readonly key: string;
  readonly file: File;
  /** Between 0 and 1. */
  readonly progress: number;
  readonly error?: 'tooLarge' | Error;
}

export interface Uploads {
  readonly running: readonly Upload[];
  readonly maxBytes: number;
  add(files: readonly File[]): void;
  retry(upload: Upload): void;
  remove(upload: Upload): void;
}

/** Uploads files as soon as they are chosen; the message refers to them by id. @param onDone gets each finished upload */
export function useUploads(onDone: (attachment: Attachment) => void): Uploads {
  const { data: server } = useQuery(serverQuery);
  const maxBytes = server?.max_upload_bytes ?? NOT_TOLD;
  const [running, setRunning] = useState<readonly Upload[]>([]);
  const aborts = useRef(new Map<string, () => void>());
  const done = useRef(onDone);
  done.current = onDone;
  const change = (key: string, next: Partial<Upload>) =>
    setRunning((all) => all.map((one) => (one.key === key ? { ...one, ...next } : one)));
  const forget = (key: string) => setRunning((all) => all.filter((one) => one.key !== key));
  const begin = async (upload: Upload) => {
    try {
      const attachment = await send(upload, (progress) => change(upload.key, { progress }), aborts.current);
      forget(upload.key);
      done.current(attachment);
    } catch (error) {
      change(upload.key, { error: error as Error });
    }
  };
  const add = (files: readonly File[]) => {
    for (const file of files) {
      const upload: Upload = { key: newKey(), file, progress: 0 };
      const wrong = file.size > maxBytes ? 'tooLarge' : undefined;
      setRunning((all) => [...all, wrong ? { ...upload, error: wrong } : upload]);
      if (!wrong) void begin(upload);
    }
  };
  const retry = (upload: Upload) => {
    const { error: _, ...again } = upload;
    setRunning((all) => all.map((one) => (one.key === upload.key ? { ...again, progress: 0 } : one)));
    void begin(again);
  };
  const remove = ({ key }: Upload) => {
    forget(key);
    aborts.current.get(key)?.();
  };
  return { running, maxBytes, add, retry, remove };
}

const retryAfterOf = (request: XMLHttpRequest) =>
  Number(request.getResponseHeader('Retry-After')) || undefined;

/** `fetch` reports no upload progress. */
function send(
  { key, file }: Upload,
  onProgress: (progress: number) => void,
  aborts: Map<string, () => void>,
): Promise<Attachment> {
  const form = new FormData();
  form.append('file', file, file.name || 'file');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/v1/attachments');
    request.setRequestHeader('Idempotency-Key', key);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const body = request.response as {
        data?: Attachment[];
        errors?: { code: number; message: string }[];
      } | null;
      const [attachment] = body?.data ?? [];
      if (request.status === 200 && attachment) resolve(attachment);
      else reject(new ApiError(request.status, body?.errors ?? [], retryAfterOf(request)));
    };
    request.onerror = () => reject(new Unreachable('The server cannot be reached'));
    aborts.set(key, () => request.abort());
    request.onloadend = () => aborts.delete(key);
    request.send(form);
  });
}
