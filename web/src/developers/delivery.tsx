import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowLeft, RefreshCw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Delivery } from '../api/types.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge, Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useFailureText } from '../text/failure.ts';
import { useTeamNames } from './deliveries.tsx';
import { type Attempt, lastAttempt, StatusBadge, useKindText, useReasonText } from './delivery-parts.tsx';
import styles from './developers.module.css';
import { pretty } from './pretty.ts';
import { deliveryQuery, redeliver } from './queries.ts';

/** One delivery with all its attempts. */
export function DeliveryView() {
  const { application, delivery } = useParams({
    from: '/signed-in/developers/$application/deliveries/$delivery',
  });
  const query = useQuery(deliveryQuery(application, delivery));
  return <Loaded query={query}>{(data) => <Shown key={data.id} delivery={data} />}</Loaded>;
}

function Shown({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('developers.delivery');
  const { nameOf } = useTeamNames();
  const kindText = useKindText();
  return (
    <>
      <div>
        <ButtonLink
          small
          look="quiet"
          to="/developers/$application/deliveries"
          params={{ application: delivery.application }}
        >
          <ArrowLeft size={16} aria-hidden />
          {t('back')}
        </ButtonLink>
      </div>
      <Card title={kindText(delivery.kind)}>
        <dl className={styles.facts}>
          <dt>{t('status')}</dt>
          <dd>
            <StatusBadge delivery={delivery} />
          </dd>
          {delivery.team !== null && (
            <>
              <dt>{t('team')}</dt>
              <dd>{nameOf(delivery.team)}</dd>
            </>
          )}
          <dt>{t('made')}</dt>
          <dd>
            <Time at={delivery.created_at} style="full" />
          </dd>
          {delivery.next_attempt_at !== null && (
            <>
              <dt>{t('next')}</dt>
              <dd>
                <Time at={delivery.next_attempt_at} style="full" />
              </dd>
            </>
          )}
          <dt>{t('id')}</dt>
          <dd>
            <code>{delivery.id}</code>
          </dd>
        </dl>
        {delivery.redacted && <p className={styles.soft}>{t('redacted')}</p>}
        {delivery.kind === 'events' ? (
          <p className={styles.soft}>{t('notKept')}</p>
        ) : (
          <Redeliver delivery={delivery} />
        )}
      </Card>
      {delivery.attempts.map((attempt) => (
        <AttemptCard key={attempt.number} delivery={delivery} attempt={attempt} />
      ))}
    </>
  );
}

function Redeliver({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('developers.delivery');
  const failure = useFailureText();
  const reasonText = useReasonText();
  const mutation = useMutation({ mutationFn: () => redeliver(delivery) });
  const last = mutation.data && lastAttempt(mutation.data);
  const reason = last && reasonText(delivery, last);
  return (
    <div className={styles.group}>
      <div>
        <Button busy={mutation.isPending} onClick={() => mutation.mutate()}>
          <RefreshCw size={16} aria-hidden />
          {t('redeliver')}
        </Button>
      </div>
      {mutation.error && <Notice kind="danger">{failure(mutation.error)}</Notice>}
      <div role="status">
        {mutation.data && <Notice kind={reason ? 'danger' : 'success'}>{reason ?? t('arrived')}</Notice>}
      </div>
    </div>
  );
}

function AttemptCard({ delivery, attempt }: { delivery: Delivery; attempt: Attempt }) {
  const t = useTranslations('developers.delivery');
  const reasonText = useReasonText();
  const { number, started_at, duration, request, response } = attempt;
  const reason = reasonText(delivery, attempt);
  return (
    <Card title={t('attempt', { number })}>
      <div className={styles.row}>
        {response && <Badge kind={reason ? 'danger' : 'success'}>{response.status}</Badge>}
        {!response && <Badge kind="danger">{t('noResponse')}</Badge>}
        <span className={styles.soft}>{t('took', { milliseconds: Math.round(duration * 1000) })}</span>
        <span className={styles.soft}>
          <Time at={started_at} style="full" />
        </span>
      </div>
      {reason && <Notice kind="danger">{reason}</Notice>}
      <Exchange
        title={t('request')}
        first={`${request.method} ${request.url}`}
        headers={request.headers}
        body={request.body}
      />
      {response && (
        <Exchange
          title={t('response')}
          first={`HTTP ${response.status}`}
          headers={response.headers}
          body={delivery.kind === 'events' ? undefined : response.body}
        />
      )}
    </Card>
  );
}

/** @param props.body undefined where it was not kept */
function Exchange(props: {
  title: string;
  first: string;
  headers: Record<string, string>;
  body: string | undefined;
}) {
  const { title, first, headers, body } = props;
  const t = useTranslations('developers.delivery');
  return (
    <div className={styles.group}>
      <h3>{title}</h3>
      <code className={styles.first}>{first}</code>
      <dl className={styles.headers}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body === '' && <p className={styles.soft}>{t('noBody')}</p>}
      {body && <Copyable text={pretty(body)} name={t('bodyOf', { title })} />}
    </div>
  );
}
