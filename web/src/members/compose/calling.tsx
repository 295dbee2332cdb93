import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { mentionedNames } from '#platform/text/mentions.ts';
import { call } from '../../api/client.ts';
import { membershipsQuery } from '../../api/queries.ts';
import { ADMIN, type Message } from '../../api/types.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { nameOf } from '../../design/person.tsx';
import { tell } from '../../design/toast.tsx';
import { calledQuery } from '../../teams/called.ts';
import { useFailureText } from '../../text/failure.ts';
import styles from './composer.module.css';
import { useSettled } from './use-settled.ts';

/** From this number on it is said how many people a message calls. */
const MANY = 6;
/** So long after the last letter it is asked. */
const AFTER_MS = 400;

/** The names behind an @ in a text, in one order. */
export const namesIn = (text: string, format?: Message['format']): readonly string[] =>
  text.includes('@') ? [...mentionedNames(text, format)].sort() : [];

/** Says, while one writes to a team, that the text calls many, and for how many of them it is night. */
export function CallWarning({ team, text }: { team: string; text: string }) {
  const t = useTranslations('members.composer');
  const now = namesIn(text).join(' ');
  const names = useSettled(now, AFTER_MS);
  const { data } = useQuery({ ...calledQuery(team, names.split(' ')), enabled: names !== '' });
  if (now === '' || !data || data.people < MANY) return null;
  const { people, at_night: night } = data;
  return (
    <p role="status" className={styles.calls}>
      {t('calls', { count: people })} {night ? t('atNight', { count: night }) : null}
    </p>
  );
}

/** After sending: who was named, but is not in the team, with an offer to invite them. */
export function NotThere({
  team,
  names,
  close,
}: {
  team: string;
  names: readonly string[];
  close: () => void;
}) {
  const t = useTranslations('members.composer');
  const common = useTranslations('common');
  const format = useFormatter();
  const failure = useFailureText();
  const { data } = useQuery({ ...calledQuery(team, names), enabled: names.length > 0 });
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const own = memberships.find((one) => one.team.id === team);
  const missing = data?.missing ?? [];
  const invite = useMutation({
    mutationFn: () =>
      call(`/v1/teams/${team}/invitations`, {
        method: 'POST',
        body: { users: missing.map(({ id }) => id) },
      }),
    onSuccess: () => {
      tell(t('invited', { team: own?.team.name ?? '' }));
      close();
    },
  });
  if (!own || missing.length === 0) return null;
  return (
    <div role="status" className={styles.notThere}>
      <span>
        {t('notThere', { names: format.list(missing.map(nameOf)), team: own.team.name })}
        {invite.error && ` ${failure(invite.error)}`}
      </span>
      {own.membership_type === ADMIN && (
        <Button small busy={invite.isPending} onClick={() => invite.mutate()}>
          {t('invite')}
        </Button>
      )}
      <IconButton label={common('close')} onClick={close}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
