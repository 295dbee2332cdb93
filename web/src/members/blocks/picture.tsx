import { ImageIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { outsideUrl } from '../../api/outside.ts';
import { Outside } from '../text/message-text.tsx';
import styles from './blocks.module.css';
import { useBlocks } from './context.ts';

interface Image {
  readonly image_url: string;
  readonly alt_text: string;
}

const MOST_WIDE = 480;
const MOST_HIGH = 320;

/** The picture as this server has it. One that is gone leaves its frame. */
function usePicture({ image_url }: Image) {
  const { pictures } = useBlocks();
  const [isGone, setGone] = useState(false);
  return { picture: isGone ? undefined : pictures?.[image_url], onError: () => setGone(true) };
}

/** No foreign picture is loaded: without one of this server, a frame says what it shows, and links to it. */
export function Picture({ image, title }: { image: Image; title?: string }) {
  const t = useTranslations('blocks');
  const { picture, onError } = usePicture(image);
  const { image_url, alt_text } = image;
  const host = outsideUrl(image_url) && URL.parse(image_url)?.host;
  const scale = picture ? Math.min(1, MOST_WIDE / picture.width, MOST_HIGH / picture.height) : 1;
  return (
    <figure className={styles.figure}>
      {title !== undefined && (
        <figcaption className={styles.soft} dir="auto">
          {title}
        </figcaption>
      )}
      {picture ? (
        <img
          className={styles.picture}
          src={picture.url}
          alt={alt_text}
          loading="lazy"
          decoding="async"
          width={Math.round(picture.width * scale)}
          height={Math.round(picture.height * scale)}
          onError={onError}
        />
      ) : (
        <div className={styles.noPicture}>
          <ImageIcon size={20} aria-hidden />
          <div>
            <p dir="auto">{alt_text}</p>
            {host && (
              <p className={styles.soft}>
                <Outside url={image_url}>{t('imageAt', { host })}</Outside>
              </p>
            )}
          </div>
        </div>
      )}
    </figure>
  );
}

/** One beside words. */
export function IconPicture({ image, size = 'small' }: { image: Image; size?: 'small' | 'large' }) {
  const { picture, onError } = usePicture(image);
  const { alt_text } = image;
  if (picture)
    return (
      <img
        className={styles.icon}
        data-size={size}
        src={picture.url}
        alt={alt_text}
        loading="lazy"
        onError={onError}
      />
    );
  return (
    <span role="img" aria-label={alt_text} data-hint={alt_text} className={styles.icon} data-size={size}>
      <ImageIcon size={size === 'small' ? 14 : 20} aria-hidden />
    </span>
  );
}
