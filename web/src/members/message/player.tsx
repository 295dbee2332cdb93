import { Maximize, Pause, Play } from 'lucide-react';
import { type MediaHTMLAttributes, type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../design/button.tsx';
import { useSize } from '../../design/size.ts';
import styles from './attachments.module.css';

/** What plays: another sound or film ends it. */
let playing: HTMLMediaElement | undefined;

const SECONDS = 60;
const clock = (seconds: number) =>
  `${Math.floor(seconds / SECONDS)}:${String(Math.floor(seconds % SECONDS)).padStart(2, '0')}`;

/** The state of a sound or a film, and what its element needs. */
function useMedia() {
  const media = useRef<HTMLMediaElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const [failed, setFailed] = useState(false);
  const toggle = () => {
    const { current } = media;
    if (!current) return;
    if (!current.paused) return current.pause();
    setFailed(false);
    if (playing !== current) playing?.pause();
    playing = current;
    // A new attempt loads it again, as after a lost connection.
    if (current.error) current.load();
    current.play().catch(() => setFailed(!current.paused || current.error !== null));
  };
  const seek = (seconds: number) => {
    if (media.current) media.current.currentTime = seconds;
  };
  const listeners: MediaHTMLAttributes<HTMLMediaElement> = {
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onTimeUpdate: ({ currentTarget }) => setAt(currentTarget.currentTime),
    onDurationChange: ({ currentTarget }) => setLength(currentTarget.duration),
  };
  return { media, isPlaying, at, length, failed, toggle, seek, listeners };
}

type MediaState = ReturnType<typeof useMedia>;

interface PlayerProps {
  readonly file: { readonly name: string; readonly url: string; readonly size: number };
  readonly kind: 'video' | 'audio';
}

/** Plays a sound or a film. Of a sound nothing is loaded before, so its size stands where the time will. */
export function Player({ file, kind }: PlayerProps) {
  const state = useMedia();
  const film = useRef<HTMLVideoElement>(null);
  const { media, toggle, listeners } = state;
  if (kind === 'audio')
    return (
      <figure className={styles.sound}>
        <Controls file={file} state={state} />
        <audio ref={media as typeof film} preload="none" src={file.url} {...listeners} />
      </figure>
    );
  const hold = (element: HTMLVideoElement | null) => {
    media.current = element;
    film.current = element;
    // The whole screen has no room for our controls. React knows no such event.
    if (element)
      element.onfullscreenchange = () => {
        element.controls = document.fullscreenElement === element;
      };
  };
  return (
    <figure className={styles.film}>
      <video
        ref={hold}
        playsInline
        preload="metadata"
        src={file.url}
        aria-label={file.name}
        onClick={toggle}
        {...listeners}
      />
      <div className={styles.bar}>
        <Controls file={file} state={state} />
        <WholeScreen film={film} name={file.name} />
      </div>
    </figure>
  );
}

function Controls({ file, state }: { file: PlayerProps['file']; state: MediaState }) {
  const { isPlaying, at, length, failed, toggle, seek } = state;
  const t = useTranslations('members.files');
  const size = useSize();
  const isKnown = Number.isFinite(length) && length > 0;
  const time = t('time', { at: clock(at), length: clock(length) });
  return (
    <>
      <IconButton
        look="secondary"
        label={t(isPlaying ? 'pause' : 'play', { name: file.name })}
        onClick={toggle}
      >
        {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
      </IconButton>
      <div className={styles.what}>
        <figcaption className={styles.name}>
          <bdi>{file.name}</bdi>
        </figcaption>
        {isKnown && (
          <input
            type="range"
            className={styles.seek}
            aria-label={t('seek', { name: file.name })}
            aria-valuetext={time}
            min={0}
            max={length}
            step="any"
            value={at}
            onChange={({ target }) => seek(Number(target.value))}
          />
        )}
        <span className={styles.about}>
          {failed ? <span role="alert">{t('cannotPlay')}</span> : isKnown ? time : size(file.size)}
        </span>
      </div>
    </>
  );
}

function WholeScreen({ film, name }: { film: RefObject<HTMLVideoElement | null>; name: string }) {
  const t = useTranslations('members.files');
  if (!document.fullscreenEnabled) return null;
  return (
    <IconButton
      label={t('wholeScreen', { name })}
      onClick={() => void film.current?.requestFullscreen().catch(() => undefined)}
    >
      <Maximize size={18} aria-hidden />
    </IconButton>
  );
}
