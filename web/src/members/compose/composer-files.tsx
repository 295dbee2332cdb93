import { FileText, RotateCcw, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Attachment } from '../../api/types.ts';
import { IconButton } from '../../design/button.tsx';
import { useSize } from '../../design/size.ts';
import { useFailureText } from '../../text/failure.ts';
import type { Upload, Uploads } from '../state/uploads.ts';
import styles from './composer.module.css';

/** The files attached to the draft. */
export function ComposerFiles(props: {
  files: readonly Attachment[];
  uploads: Uploads;
  remove: (file: Attachment) => void;
}) {
  const { files, uploads, remove } = props;
  const t = useTranslations('members.composer');
  const size = useSize();
  if (files.length + uploads.running.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={t('files')}>
      {files.map((file) => (
        <li key={file.id} className={styles.file}>
          {file.thumbnail_url ? (
            <img className={styles.preview} src={file.thumbnail_url} alt="" width="40" height="40" />
          ) : (
            <FileText size={18} aria-hidden />
          )}
          <span className={styles.fileName}>
            {file.name}
            <small>{size(file.size)}</small>
          </span>
          <IconButton small label={t('remove', { name: file.name })} onClick={() => remove(file)}>
            <X size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
      {uploads.running.map((upload) => (
        <UploadItem key={upload.key} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadItem({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const t = useTranslations('members.composer');
  const common = useTranslations('common');
  const failure = useFailureText();
  const size = useSize();
  const { file, error, progress } = upload;
  const wrong =
    error === 'tooLarge' ? t('tooLarge', { size: size(uploads.maxBytes) }) : error && failure(error);
  return (
    <li className={styles.file}>
      <FileText size={18} aria-hidden />
      <span className={styles.fileName}>
        {file.name}
        {wrong === undefined ? (
          <progress value={progress} aria-label={t('uploading', { name: file.name })} />
        ) : (
          <small role="alert" className={styles.note}>
            {wrong}
          </small>
        )}
      </span>
      {wrong !== undefined && error !== 'tooLarge' && (
        <IconButton small label={`${common('retry')}: ${file.name}`} onClick={() => uploads.retry(upload)}>
          <RotateCcw size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton small label={t('remove', { name: file.name })} onClick={() => uploads.remove(upload)}>
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
