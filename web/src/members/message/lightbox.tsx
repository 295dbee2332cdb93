import { Dialog } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight, Download, ExternalLink, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ButtonAnchor, IconButton } from '../../design/button.tsx';
import styles from './lightbox.module.css';

/** A stored picture, and the smaller one in its place where a browser cannot show it. */
export interface LightboxPicture {
  readonly name: string;
  readonly url: string;
  readonly thumbnail_url: string;
}

/** How far a finger has to go for the next picture, in CSS pixels. */
const SWIPE = 48;

/** The pictures of a message, one at a time, over the whole window. */
export function Lightbox(props: {
  pictures: readonly LightboxPicture[];
  first: number;
  onClose: () => void;
}) {
  const { first, onClose } = props;
  // Another one that is posted meanwhile moves none of them.
  const [pictures] = useState(props.pictures);
  const t = useTranslations('members.files');
  const common = useTranslations('common');
  const [at, setAt] = useState(first);
  const start = useRef<number>(undefined);
  const close = useRef<HTMLButtonElement>(null);
  const shown = pictures[at];
  const isThere = props.pictures.some(({ url }) => url === shown?.url);
  if (!shown || !isThere) return null;
  const move = (by: number) => setAt((at + by + pictures.length) % pictures.length);
  const several = pictures.length > 1;
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (by !== undefined) move(by * forwards(currentTarget));
  };
  const onPointerUp = ({ clientX, currentTarget }: PointerEvent) => {
    const by = clientX - (start.current ?? clientX);
    start.current = undefined;
    if (several && Math.abs(by) >= SWIPE) move(-Math.sign(by) * forwards(currentTarget));
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup className={styles.box} initialFocus={close} {...(several && { onKeyDown })}>
          <div className={styles.head}>
            <Dialog.Title className={styles.name} aria-live="polite">
              <bdi>{shown.name}</bdi>
              {several && (
                <span className={styles.place}> {t('place', { at: at + 1, count: pictures.length })}</span>
              )}
            </Dialog.Title>
            <ButtonAnchor href={shown.url} target="_blank" rel="noopener noreferrer" look="quiet" small>
              <ExternalLink size={16} aria-hidden />
              <span className={styles.word}>{t('original')}</span>
            </ButtonAnchor>
            <ButtonAnchor href={shown.url} download={shown.name} look="quiet" small>
              <Download size={16} aria-hidden />
              <span className={styles.word}>{t('download')}</span>
            </ButtonAnchor>
            <Dialog.Close
              render={
                <IconButton ref={close} label={common('close')}>
                  <X size={20} aria-hidden />
                </IconButton>
              }
            />
          </div>
          <div
            className={styles.stage}
            onPointerDown={({ pointerType, clientX }) => {
              if (pointerType === 'touch') start.current = clientX;
            }}
            onPointerUp={onPointerUp}
            onPointerCancel={() => {
              start.current = undefined;
            }}
          >
            {several && (
              <IconButton label={t('previous')} look="secondary" onClick={() => move(-1)}>
                <ChevronLeft size={20} className={styles.arrow} aria-hidden />
              </IconButton>
            )}
            <img
              key={shown.url}
              src={shown.url}
              alt={shown.name}
              draggable={false}
              onError={({ currentTarget }) => {
                if (!currentTarget.src.endsWith(shown.thumbnail_url)) currentTarget.src = shown.thumbnail_url;
              }}
            />
            {several && (
              <IconButton label={t('next')} look="secondary" onClick={() => move(1)}>
                <ChevronRight size={20} className={styles.arrow} aria-hidden />
              </IconButton>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** 1 where text goes to the right, -1 where it goes to the left. */
const forwards = (element: Element) => (getComputedStyle(element).direction === 'rtl' ? -1 : 1);
