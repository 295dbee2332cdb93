import { type ChangeEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { tell } from '../design/toast.tsx';
import { PICTURE_TYPES, useObjectUrl } from '../design/use-object-url.ts';
import { retold } from '../text/failure.ts';
import styles from './add-emoji.module.css';
import { addEmoji, type CustomEmoji } from './custom-emoji.ts';

const LONGEST = 32;
const NAME = /^[a-z0-9_+-]{2,32}$/;
const DIGITS = /^[0-9a-f+-]+$/;

/** A name as the file suggests it: `Party Parrot.gif` is `party_parrot`. */
const suggested = (file: string) =>
  file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .split(/[^a-z0-9+-]+/)
    .filter(Boolean)
    .join('_')
    .slice(0, LONGEST);

const folded = (name: string) => name.trim().replace(/^:|:$/g, '').toLowerCase();

/** A picture and its name. */
export function AddEmoji({ onDone }: { onDone: (added: CustomEmoji) => void }) {
  const t = useTranslations('members.emoji.add');
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const nameWrong = () =>
    !NAME.test(folded(name)) ? 'form' : DIGITS.test(folded(name)) ? 'digits' : 'unicode';
  const send = async () => {
    try {
      if (!file) throw new ApiError(400, [{ code: 4002, reason: 'file', message: '' }]);
      return await addEmoji(folded(name), file);
    } catch (error) {
      throw retold(error, { name: t(`wrong.${nameWrong()}`), file: t(file ? 'wrong.file' : 'wrong.noFile') });
    }
  };
  const choose = (chosen: File) => {
    setFile(chosen);
    if (name === '') setName(suggested(chosen.name));
  };
  const done = (added: CustomEmoji) => {
    tell(t('added', { name: `:${added.name}:` }));
    onDone(added);
  };
  return (
    <Form send={send} onDone={done} submit={t('submit')}>
      {({ errorOf }) => (
        <>
          <PictureField file={file} choose={choose} error={errorOf('file')} />
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            name="name"
            required
            maxLength={LONGEST + 2}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            value={name}
            onChange={({ target }) => setName(target.value)}
            error={errorOf('name')}
          />
        </>
      )}
    </Form>
  );
}

/** Chooses the picture, and shows it as small as it will be. */
function PictureField(props: {
  file: File | undefined;
  choose: (file: File) => void;
  error: string | undefined;
}) {
  const { file, choose, error } = props;
  const t = useTranslations('members.emoji.add');
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const preview = useObjectUrl(file);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    if (chosen) choose(chosen);
    // Allows choosing the same file again.
    target.value = '';
  };
  return (
    <div className={styles.field}>
      <div className={styles.picture}>
        <span className={styles.preview}>
          {preview !== undefined && <img src={preview} alt={t('preview')} />}
        </span>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept={PICTURE_TYPES}
          aria-label={t('choose')}
          tabIndex={-1}
          onChange={onChange}
        />
        {/* The field of the form by which its errors are shown here. */}
        <input type="hidden" name="file" value={file?.name ?? ''} />
        <Button
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          onClick={() => input.current?.click()}
        >
          {t('choose')}
        </Button>
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {t('lead')}
      </p>
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
