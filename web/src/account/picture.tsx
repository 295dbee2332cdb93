import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './account.module.css';

const TYPES = 'image/png,image/jpeg,image/webp,image/gif';

/** The user's picture: choose, preview, upload. */
export function PictureCard({ me }: { me: SessionUser }) {
  const t = useTranslations('account.picture');
  const common = useTranslations('common');
  const input = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const [file, setFile] = useState<File>();
  const preview = useObjectUrl(file);
  const upload = useMutation({
    mutationFn: (picture: File) => call('/v1/users/me/image', { method: 'PUT', body: formOf(picture) }),
    onSuccess: () => changed(t('uploaded')),
  });
  const remove = useMutation({
    mutationFn: () => call('/v1/users/me/image', { method: 'DELETE' }),
    onSuccess: () => changed(t('removed')),
  });
  const changed = async (text: string) => {
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['person', me.id] });
    drop();
    tell(text);
  };
  const start = (next: File | undefined) => {
    upload.reset();
    remove.reset();
    setFile(next);
  };
  /** The pressed button disappears, so the focus moves to its neighbour. */
  const drop = () => {
    start(undefined);
    first.current?.focus();
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    start(target.files?.[0]);
    first.current?.focus();
    // Allows choosing the same file again.
    target.value = '';
  };
  const shown = preview === undefined ? me : { ...me, images: [{ icon: preview, square300: preview }] };
  return (
    <Card title={t('title')} lead={t('lead')}>
      <div className={styles.picture}>
        <Avatar person={shown} size="large" />
        <div className={styles.actions}>
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept={TYPES}
            aria-label={t('choose')}
            tabIndex={-1}
            onChange={choose}
          />
          <Button
            ref={first}
            look={file ? 'primary' : 'secondary'}
            busy={upload.isPending}
            onClick={() => (file ? upload.mutate(file) : input.current?.click())}
          >
            {t(file ? 'upload' : 'choose')}
          </Button>
          {file && (
            <Button look="quiet" onClick={drop}>
              {common('cancel')}
            </Button>
          )}
          {!file && me.images.length > 0 && (
            <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
              {t('remove')}
            </Button>
          )}
        </div>
      </div>
      <PictureFailure error={upload.error ?? remove.error} />
    </Card>
  );
}

function PictureFailure({ error }: { error: Error | null }) {
  const t = useTranslations('account.picture');
  const failure = useFailureText();
  if (!error) return null;
  const wrong = error instanceof ApiError && 'file' in error.fields;
  return <Notice kind="danger">{wrong ? t('wrong') : failure(error)}</Notice>;
}

function formOf(picture: File): FormData {
  const form = new FormData();
  form.append('file', picture);
  return form;
}

/** An object URL of the chosen file, revoked when it is no longer shown. */
function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
