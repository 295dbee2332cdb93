import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Delivery } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { deliveriesQuery, deliveryQuery } from './queries.ts';
import { useReasonText } from './reason.ts';
import styles from './teams.module.css';

const KINDS = { pending: 'warning', delivered: 'success', failed: 'danger', replaced: 'neutral' } as const;
interface Exchanged {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const route = { from: '/signed-in/teams/$team/applications/$application' } as const;

/** All calls to an application about a team, with their results. */
export function Deliveries({ team, application }: { team: string; application: string }) {
  const t = useTranslations('teams.application');
  const common = useTranslations('common');
  const query = useInfiniteQuery(deliveriesQuery(team, application));
  const { delivery } = useSearch(route);
  const navigate = useNavigate({ from: '/teams/$team/applications/$application' });
  return (
    <section className={styles.stack}>
      <div>
        <h2>{t('deliveries')}</h2>
        <p className={styles.soft}>{t('deliveriesLead')}</p>
      </div>
      <Loaded query={query} rows={2}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          if (all.length === 0) return <Notice>{t('deliveriesNone')}</Notice>;
          return (
            <List label={t('deliveries')}>
              {all.map((one) => (
                <DeliveryRow key={one.id} delivery={one} />
              ))}
            </List>
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <div>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {common('more')}
          </Button>
        </div>
      )}
      {delivery !== undefined && (
        <DeliveryDialog
          team={team}
          application={application}
          id={delivery}
          onClose={() => void navigate({ search: {} })}
        />
      )}
    </section>
  );
}

function DeliveryStatus({ status }: { status: string }) {
  const t = useTranslations('teams.application.deliveryStatus');
  const known = (status in KINDS ? status : 'pending') as keyof typeof KINDS;
  return <Badge kind={KINDS[known]}>{t(known)}</Badge>;
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('teams.application');
  const format = useFormatter();
  const date = (at: number) => format.dateTime(at * 1000, { dateStyle: 'medium', timeStyle: 'medium' });
  const { created_at, next_attempt_at, num_attempts: count } = delivery;
  const next = next_attempt_at === null ? '' : t('next', { date: date(next_attempt_at) });
  return (
    <ListRow
      title={
        <Link
          from="/teams/$team/applications/$application"
          to="/teams/$team/applications/$application"
          search={{ delivery: delivery.id }}
        >
          {t(`kinds.${delivery.kind as 'install'}`)}
          <span className="visually-hidden">{date(created_at)}</span>
        </Link>
      }
      detail={[date(created_at), t('attempts', { count }), next].filter(Boolean).join(' · ')}
      aside={<DeliveryStatus status={delivery.status} />}
    />
  );
}

function DeliveryDialog(props: { team: string; application: string; id: string; onClose: () => void }) {
  const { team, application, id, onClose } = props;
  const t = useTranslations('teams.application');
  const text = useFailureText();
  const query = useQuery(deliveryQuery(application, id));
  const again = useMutation({
    mutationFn: () =>
      callOne<Delivery>(`/v1/applications/${application}/deliveries/${id}/redeliver`, { method: 'POST' }),
    onSuccess: (delivery) => {
      queryClient.setQueryData(deliveryQuery(application, id).queryKey, delivery);
      void queryClient.invalidateQueries({ queryKey: deliveriesQuery(team, application).queryKey });
      tell(t('redelivered'));
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('delivery')} wide>
      <Loaded query={query} rows={3}>
        {(delivery) => (
          <div className={styles.stack}>
            <div className={styles.split}>
              <p>
                {t(`kinds.${delivery.kind as 'install'}`)} · <Time at={delivery.created_at} style="full" />
              </p>
              <DeliveryStatus status={delivery.status} />
            </div>
            {delivery.attempts.toReversed().map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} redacted={delivery.redacted === true} />
            ))}
            {delivery.redacted && <p className={styles.soft}>{t('redacted')}</p>}
            {again.error && <Notice kind="danger">{text(again.error)}</Notice>}
            {delivery.kind !== 'events' && !delivery.redacted && (
              <div className={styles.actions}>
                <Button busy={again.isPending} onClick={() => again.mutate()}>
                  {t('redeliver')}
                </Button>
              </div>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function Attempt(props: { attempt: Delivery['attempts'][number]; redacted: boolean }) {
  const { attempt, redacted } = props;
  const t = useTranslations('teams.application');
  const reason = useReasonText();
  const { number, started_at, duration, request, response } = attempt;
  return (
    <section className={styles.tight}>
      <h3>
        {t('attempt', { number })} · <Time at={started_at} style="full" /> ·{' '}
        {t('duration', { ms: Math.round(duration * 1000) })}
      </h3>
      {attempt.reason !== null && <Notice kind="danger">{reason(attempt.reason)}</Notice>}
      <Part
        title={
          <>
            {t('request')} <code>{request.method}</code> <code>{request.url}</code>
          </>
        }
        sent={redacted ? undefined : request}
      />
      {response ? (
        <Part
          title={
            <>
              {t('response')} <code>{response.status}</code>
            </>
          }
          sent={redacted ? undefined : response}
          open
        />
      ) : (
        <p className={styles.soft}>{t('noResponse')}</p>
      )}
    </section>
  );
}

/** @param sent undefined where the reader sees the title alone */
function Part({
  title,
  sent,
  open = false,
}: {
  title: ReactNode;
  sent: Exchanged | undefined;
  open?: boolean;
}) {
  if (!sent) return <p>{title}</p>;
  return (
    <details open={open}>
      <summary>{title}</summary>
      <Sent headers={sent.headers} body={sent.body} />
    </details>
  );
}

function Sent({ headers, body }: Exchanged) {
  const t = useTranslations('teams.application');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className={styles.tight}>
      {lines.length > 0 && <Code label={t('headers')} text={lines.join('\n')} />}
      {body === '' ? (
        <p className={styles.soft}>{t('emptyBody')}</p>
      ) : (
        <Code label={t('body')} text={pretty(body)} />
      )}
    </div>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is moved with the keyboard (WCAG 2.1.1)
    <section aria-label={label} tabIndex={0} className={styles.code}>
      <code>{text}</code>
    </section>
  );
}

/** JSON with its lines, where it is whole: answers are cut off where they are long. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
