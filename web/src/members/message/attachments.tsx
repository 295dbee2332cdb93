import { Download, ExternalLink, FileText } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hostOf } from '../../api/host.ts';
import type { Attachment } from '../../api/types.ts';
import { onDemand } from '../../design/on-demand.tsx';
import { useSize } from '../../design/size.ts';
import { Outside } from '../text/message-text.tsx';
import styles from './attachments.module.css';

const Lightbox = onDemand(async () => (await import('./lightbox.tsx')).Lightbox);
export const Player = onDemand(async () => (await import('./player.tsx')).Player);

interface Link {
  readonly type: 'link';
  readonly url: string;
  readonly title?: string | null;
}

/** A file as an attachment; its type tells the kind of attachment. */
interface StoredFile extends Pick<Attachment, 'id' | 'name' | 'size' | 'url' | 'thumbnail_url'> {
  readonly type: 'file';
  readonly content_type: string;
  readonly width: number | null;
  readonly height: number | null;
}

export const asStored = ({ type, ...file }: Attachment): StoredFile => ({
  ...file,
  type: 'file',
  content_type: type,
});

/** The server alone makes these: applications cannot send attachments of this type. */
const isFile = (item: unknown): item is StoredFile => (item as { type?: unknown } | null)?.type === 'file';

interface StoredPicture extends StoredFile {
  readonly thumbnail_url: string;
}

const isPicture = (file: StoredFile): file is StoredPicture => file.thumbnail_url !== null;

function isLink(item: unknown): item is Link {
  const { type, url, title } = (item ?? {}) as Record<string, unknown>;
  return (
    type === 'link' && typeof url === 'string' && (typeof title === 'string' || (title ?? null) === null)
  );
}

/** The attachments below a message's text. Those in an application's own format are not shown. */
export function Attachments({ items }: { items: readonly unknown[] }) {
  const [opened, setOpened] = useState<number>();
  const shown = items.filter((item) => isFile(item) || isLink(item));
  if (shown.length === 0) return null;
  const pictures = shown.filter((item) => isFile(item) && isPicture(item));
  return (
    <>
      <ul className={styles.list}>
        {shown.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they do not move, and a link may be there twice
          <li key={at}>
            {isLink(item) ? (
              <LinkCard {...item} />
            ) : isPicture(item) ? (
              <Picture
                file={item}
                room={pictures.length > 1 ? AMONG_OTHERS : ALONE}
                open={() => setOpened(pictures.indexOf(item))}
              />
            ) : (
              <FileOf file={item} />
            )}
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Lightbox pictures={pictures} first={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

function LinkCard({ url, title }: Link) {
  const host = hostOf(url);
  return (
    <Outside url={url} className={styles.card as string}>
      <ExternalLink size={18} aria-hidden />
      <span className={styles.what}>
        <span className={styles.name}>{title ?? url}</span>
        <span className={styles.about}>{host}</span>
      </span>
    </Outside>
  );
}

function FileOf({ file }: { file: StoredFile }) {
  const [group] = file.content_type.split('/', 1);
  if (group === 'video' || group === 'audio') return <Player file={file} kind={group} />;
  return <FileChip file={file} />;
}

/** The room for a picture, in CSS pixels: several of them are a gallery of smaller ones. */
const ALONE = { width: 360, height: 270 };
const AMONG_OTHERS = { width: 240, height: 160 };

/** A link to the picture, for another tab; a plain click opens it here. The space is reserved, so that nothing moves. */
function Picture(props: { file: StoredPicture; room: typeof ALONE; open: () => void }) {
  const { file, room, open } = props;
  const t = useTranslations('members.files');
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  };
  const [width, height] = [file.width ?? room.width, file.height ?? room.height];
  const scale = Math.min(1, room.width / width, room.height / height);
  return (
    <a
      href={file.url}
      target="_blank"
      rel="noopener noreferrer"
      className={styles.picture}
      aria-label={t('open', { name: file.name })}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <img
        src={file.thumbnail_url}
        alt=""
        loading="lazy"
        decoding="async"
        width={Math.round(width * scale)}
        height={Math.round(height * scale)}
      />
    </a>
  );
}

function FileChip({ file }: { file: StoredFile }) {
  const size = useSize();
  return (
    <a href={file.url} download={file.name} className={styles.card}>
      <FileText size={18} aria-hidden />
      <span className={styles.what}>
        <span className={styles.name}>{file.name}</span>
        <span className={styles.about}>
          {kindOf(file)} · {size(file.size)}
        </span>
      </span>
      <Download size={16} aria-hidden />
    </a>
  );
}

/** The file name's extension tells people more than the media type. */
function kindOf({ name, content_type }: StoredFile): string {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1];
  return ending?.toUpperCase() ?? content_type;
}
