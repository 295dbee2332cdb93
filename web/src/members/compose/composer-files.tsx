import { FileText, RotateCcw, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../design/button.tsx';
import { useSize } from '../../design/size.ts';
import { useFailureText } from '../../text/failure.ts';
import { inOrder } from '../state/draft-files.ts';
import type { Attached } from '../state/drafts.ts';
import type { Upload, Uploads } from '../state/uploads.ts';
import styles from './composer.module.css';

/** The files attached to the draft. */
export function ComposerFiles(props: {
  files: readonly Attached[];
  uploads: Uploads;
  remove: (file: Attached) => void;
}) {
  const { files, uploads, remove } = props;
  const t = useTranslations('members.composer');
  if (files.length + uploads.running.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={t('files')}>
      {inOrder([...files, ...uploads.running]).map((file) =>
        'key' in file ? (
          <UploadItem key={file.key} upload={file} uploads={uploads} />
        ) : (
          <UploadedItem key={file.bytes ?? file.id} file={file} remove={remove} />
        ),
      )}
    </ul>
  );
}

/** In one line, as once it is sent; whole where the pointer rests. */
const ChipName = ({ name }: { name: string }) => (
  <bdi className={styles.chipName} title={name}>
    {name}
  </bdi>
);

function UploadedItem({ file, remove }: { file: Attached; remove: (file: Attached) => void }) {
  const t = useTranslations('members.composer');
  const size = useSize();
  return (
    <li className={styles.file}>
      {file.thumbnail_url ? (
        <img className={styles.preview} src={file.thumbnail_url} alt="" width="40" height="40" />
      ) : (
        <FileText size={18} aria-hidden />
      )}
      <span className={styles.fileName}>
        <ChipName name={file.name} />
        <small>{size(file.size)}</small>
      </span>
      <IconButton small label={t('remove', { name: file.name })} onClick={() => remove(file)}>
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  );
}

function UploadItem({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const t = useTranslations('members.composer');
  const common = useTranslations('common');
  const failure = useFailureText();
  const size = useSize();
  const { name, error, progress } = upload;
  const wrong =
    error === 'tooLarge'
      ? t('tooLarge', { size: size(uploads.maxBytes) })
      : error === 'lost'
        ? t('lostFile')
        : error && failure(error);
  return (
    <li className={styles.file}>
      <FileText size={18} aria-hidden />
      <span className={styles.fileName}>
        <ChipName name={name} />
        {wrong === undefined ? (
          <progress value={progress} aria-label={t('uploading', { name })} />
        ) : (
          <small role="alert" className={styles.note}>
            {wrong}
          </small>
        )}
      </span>
      {error instanceof Error && (
        <IconButton small label={`${common('retry')}: ${name}`} onClick={() => uploads.retry(upload)}>
          <RotateCcw size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton small label={t('remove', { name })} onClick={() => uploads.remove(upload)}>
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
