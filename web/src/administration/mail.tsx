import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ApiError, callOne } from '../api/client.ts';
import { outsideUrl } from '../api/outside.ts';
import { queryClient } from '../api/queries.ts';
import type { Mail } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Fact, Facts } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './administration.module.css';
import { MailStatus, reasonKey } from './mail-status.tsx';
import { mailQuery, refresh } from './queries.ts';

/** One mail, as text: its HTML has the same content, but is untrusted. */
export function MailDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('administration.mails');
  const query = useQuery(mailQuery(id));
  return (
    <Dialog open onClose={onClose} title={query.data?.subject ?? t('mail')} wide>
      <Loaded query={query} rows={3}>
        {(mail) => (
          <div className={styles.stack}>
            <MailFacts mail={mail} />
            {mail.reason !== null && (
              <Notice kind="warning">{t(reasonKey(mail), { reason: mail.reason })}</Notice>
            )}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is moved with the keyboard (WCAG 2.1.1) */}
            <section className={styles.mail} aria-label={t('text')} tabIndex={0}>
              <WithLinks text={mail.text} />
            </section>
            {mail.status !== 'kept' && <p className={styles.soft}>{t('hidden')}</p>}
            <Resend mail={mail} />
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function MailFacts({ mail }: { mail: Mail }) {
  const t = useTranslations('administration.mails');
  return (
    <Facts>
      <Fact name={t('recipient')}>{mail.to}</Fact>
      <Fact name={t('kind')}>{t(`kinds.${mail.kind as 'messages'}`)}</Fact>
      <Fact name={t('status')}>
        <MailStatus status={mail.status} />
      </Fact>
      <Fact name={t('tries')}>{t('attempts', { count: mail.num_attempts })}</Fact>
      <Fact name={t('made')}>
        <Time at={mail.created_at} style="full" />
      </Fact>
    </Facts>
  );
}

const ADDRESS = /(https?:\/\/[^\s<>]+)/;

/** Shows the addresses in a text as links, since stored mails are there to be passed on. */
function WithLinks({ text }: { text: string }) {
  return text.split(ADDRESS).map((part, at) => {
    const address = at % 2 === 1 ? outsideUrl(part) : undefined;
    if (address === undefined) return part;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
      <a key={at} href={address} target="_blank" rel="noreferrer">
        {part}
      </a>
    );
  });
}

function Resend({ mail }: { mail: Mail }) {
  const t = useTranslations('administration.mails');
  const text = useFailureText();
  const resend = useMutation({
    mutationFn: () => callOne<Mail>(`/v1/admin/mails/${mail.id}/resend`, { method: 'POST' }),
    onSuccess: (sent) => {
      queryClient.setQueryData(mailQuery(mail.id).queryKey, sent);
      tell(t('resent'));
      return refresh('/v1/admin/mails');
    },
  });
  const { error } = resend;
  const isUnable = error instanceof ApiError && error.reason === 'no_mail_server';
  return (
    <>
      {error && <Notice kind="danger">{isUnable ? t('noServer') : text(error)}</Notice>}
      <div className={`${styles.actions} ${styles.end}`}>
        <Button busy={resend.isPending} onClick={() => resend.mutate()}>
          {t('resend')}
        </Button>
      </div>
    </>
  );
}
