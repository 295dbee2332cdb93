import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SmilePlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { SessionUser } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Select, Switch, TextField } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { usePauseText } from '../design/pause-sign.tsx';
import { tell } from '../design/toast.tsx';
import { EmojiDialog } from '../emoji/emoji-dialog.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './account.module.css';
import { changeMe, useMe } from './queries.ts';

const MINUTE_S = 60;
/** Ends that are offered; the one that is set already is another. */
const ENDS = ['never', 'half', 'hour', 'four', 'today', 'week'] as const;
type End = (typeof ENDS)[number] | 'kept';

/** @returns the time in seconds; null for good */
function timeOf(end: Exclude<End, 'kept'>, now = new Date()): number | null {
  const seconds = Math.round(now.getTime() / 1000);
  const midnight = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime() / 1000;
  switch (end) {
    case 'never':
      return null;
    case 'half':
      return seconds + 30 * MINUTE_S;
    case 'hour':
      return seconds + 60 * MINUTE_S;
    case 'four':
      return seconds + 240 * MINUTE_S;
    case 'today':
      return midnight(1);
    case 'week':
      // The next Monday.
      return midnight((8 - now.getDay()) % 7 || 7);
  }
}

/** How one is, for others. */
export function StatusCard() {
  const t = useTranslations('account.status');
  const me = useMe();
  return (
    <Card title={t('title')} lead={t('lead')}>
      <StatusForm key={JSON.stringify(me.status)} me={me} />
      <QuietChoice me={me} />
      <Visibility me={me} />
    </Card>
  );
}

function useSaving() {
  const failure = useFailureText();
  const common = useTranslations('common');
  const save = useMutation({
    mutationFn: (change: Parameters<typeof changeMe>[0]) => changeMe(change),
    onSuccess: () => tell(common('saved')),
  });
  return { save, error: save.error && <Notice kind="danger">{failure(save.error)}</Notice> };
}

function StatusForm({ me: { status } }: { me: SessionUser }) {
  const t = useTranslations('account.status');
  const { save, error } = useSaving();
  const [emoji, setEmoji] = useState(status?.emoji ?? '');
  const [text, setText] = useState(status?.text ?? '');
  const [end, setEnd] = useState<End>(status?.until ? 'kept' : 'never');
  const [isChoosing, setChoosing] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const until = end === 'kept' ? (status?.until ?? null) : timeOf(end);
    save.mutate({ status: { emoji: emoji === '' ? null : emoji, text, until } });
  };
  return (
    <form className={styles.status} onSubmit={send}>
      {isChoosing && (
        <EmojiDialog
          onClose={() => setChoosing(false)}
          onChoose={(chosen) => {
            setChoosing(false);
            // Others may be on servers that have no such picture.
            if (!chosen.startsWith(':')) setEmoji(chosen);
          }}
        />
      )}
      <div className={styles.statusLine}>
        <Button
          aria-label={emoji === '' ? t('emoji') : t('emojiIs', { emoji })}
          onClick={() => setChoosing(true)}
        >
          {emoji === '' ? <SmilePlus size={18} aria-hidden /> : emoji}
        </Button>
        <TextField
          label={t('text')}
          placeholder={t('placeholder')}
          value={text}
          maxLength={100}
          onChange={({ target }) => setText(target.value)}
        />
        <Select label={t('until')} value={end} onChange={({ target }) => setEnd(target.value as End)}>
          <Ends kept={status?.until} />
        </Select>
      </div>
      <div className={styles.statusLine}>
        <Button
          type="submit"
          look="primary"
          busy={save.isPending}
          disabled={emoji === '' && text.trim() === ''}
        >
          {t('set')}
        </Button>
        {status && (
          <Button onClick={() => save.mutate({ status: null })} busy={save.isPending}>
            {t('clear')}
          </Button>
        )}
      </div>
      {error}
    </form>
  );
}

function Ends({ kept, without = [] }: { kept: number | null | undefined; without?: readonly End[] }) {
  const t = useTranslations('account.status');
  const format = useFormatter();
  return (
    <>
      {typeof kept === 'number' && (
        <option value="kept">
          {format.dateTime(new Date(kept * 1000), { dateStyle: 'medium', timeStyle: 'short' })}
        </option>
      )}
      {ENDS.filter((one) => !without.includes(one)).map((one) => (
        <option key={one} value={one}>
          {t(`ends.${one}`)}
        </option>
      ))}
    </>
  );
}

function QuietChoice({ me: { do_not_disturb_until: until } }: { me: SessionUser }) {
  const t = useTranslations('account.status');
  const { save, error } = useSaving();
  return (
    <div>
      <Select
        label={t('quiet')}
        hint={t('quietHint')}
        value={until === null ? 'off' : 'kept'}
        onChange={({ target }) => {
          const end = target.value as Exclude<End, 'never'> | 'off';
          if (end !== 'kept') save.mutate({ do_not_disturb_until: end === 'off' ? null : timeOf(end) });
        }}
      >
        <option value="off">{t('ends.off')}</option>
        <Ends kept={until} without={['never']} />
      </Select>
      <Pause />
      {error}
    </div>
  );
}

/** It holds back pushes as well, though others do not see it. */
function Pause() {
  const t = useTranslations('account.status');
  const text = usePauseText();
  if (text === undefined) return null;
  return (
    <p className={styles.soft}>
      {text}. <Link to="/settings/notifications">{t('toPause')}</Link>
    </p>
  );
}

function Visibility({ me }: { me: SessionUser }) {
  const t = useTranslations('account.status');
  const { save, error } = useSaving();
  return (
    <div>
      <Switch
        label={t('invisible')}
        hint={t('invisibleHint')}
        checked={me.invisible}
        onChange={(invisible) => save.mutate({ invisible })}
      />
      {error}
    </div>
  );
}
