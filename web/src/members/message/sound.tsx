import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../design/button.tsx';
import { useSize } from '../../design/size.ts';
import styles from './attachments.module.css';

/** The sound that plays: another one ends it. */
let playing: HTMLAudioElement | undefined;

const SECONDS = 60;
const clock = (seconds: number) =>
  `${Math.floor(seconds / SECONDS)}:${String(Math.floor(seconds % SECONDS)).padStart(2, '0')}`;

/** A player for a sound. Nothing of it is loaded before it is played, so its size stands where the time will. */
export function Sound({ file }: { file: { name: string; url: string; size: number } }) {
  const t = useTranslations('members.files');
  const size = useSize();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const [failed, setFailed] = useState(false);
  const toggle = () => {
    const { current } = audio;
    if (!current) return;
    if (!current.paused) return current.pause();
    setFailed(false);
    if (playing !== current) playing?.pause();
    playing = current;
    // A new attempt loads it again, as after a lost connection.
    if (current.error) current.load();
    current.play().catch(() => setFailed(!current.paused || current.error !== null));
  };
  const isKnown = Number.isFinite(length) && length > 0;
  return (
    <figure className={styles.sound}>
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
            aria-valuetext={t('time', { at: clock(at), length: clock(length) })}
            min={0}
            max={length}
            step="any"
            value={at}
            onChange={({ target }) => {
              if (audio.current) audio.current.currentTime = Number(target.value);
            }}
          />
        )}
        <span className={styles.about}>
          {failed ? (
            <span role="alert">{t('cannotPlay')}</span>
          ) : isKnown ? (
            t('time', { at: clock(at), length: clock(length) })
          ) : (
            size(file.size)
          )}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: what people send each other has none */}
      <audio
        ref={audio}
        preload="none"
        src={file.url}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onDurationChange={({ currentTarget }) => setLength(currentTarget.duration)}
      />
    </figure>
  );
}
