import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type ComponentProps, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { useFailureText } from '../text/failure.ts';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './picture-choice.module.css';
import { tell } from './toast.tsx';
import { PICTURE_TYPES, useObjectUrl } from './use-object-url.ts';

/** Each view that lets choose a picture has these texts. */
type Texts = (key: 'choose' | 'upload' | 'remove' | 'uploaded' | 'removed' | 'wrong') => string;

/**
 * A picture: choose, preview, upload, remove.
 * @param props.path where the picture is put, and deleted
 * @param props.onChange reads again what shows it
 * @param props.onDone after it is shown
 */
export function PictureChoice(props: {
  person: ComponentProps<typeof Avatar>['person'];
  path: string;
  texts: Texts;
  onChange: () => Promise<unknown>;
  onDone?: () => void;
}) {
  const { person, path, texts: t, onChange, onDone } = props;
  const common = useTranslations('common');
  const input = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const [file, setFile] = useState<File>();
  const preview = useObjectUrl(file);
  const upload = useMutation({
    mutationFn: (picture: File) => call(path, { method: 'PUT', body: formOf(picture) }),
    onSuccess: () => changed(t('uploaded')),
  });
  const remove = useMutation({
    mutationFn: () => call(path, { method: 'DELETE' }),
    onSuccess: () => changed(t('removed')),
  });
  const changed = async (text: string) => {
    await onChange();
    drop();
    tell(text);
    onDone?.();
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
  const shown =
    preview === undefined ? person : { ...person, images: [{ icon: preview, square300: preview }] };
  return (
    <>
      <div className={styles.picture}>
        <Avatar person={shown} size="large" />
        <div className={styles.actions}>
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept={PICTURE_TYPES}
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
          {!file && (person.images ?? []).length > 0 && (
            <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
              {t('remove')}
            </Button>
          )}
        </div>
      </div>
      <Failure error={upload.error ?? remove.error} wrong={t('wrong')} />
    </>
  );
}

/** @param props.wrong for a file that is no picture */
function Failure({ error, wrong }: { error: Error | null; wrong: string }) {
  const failure = useFailureText();
  if (!error) return null;
  const isWrong = error instanceof ApiError && 'file' in error.fields;
  return <Notice kind="danger">{isWrong ? wrong : failure(error)}</Notice>;
}

function formOf(picture: File): FormData {
  const form = new FormData();
  form.append('file', picture);
  return form;
}
