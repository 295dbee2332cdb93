import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, Inbox } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Subscription } from '../api/types.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { Card, Table } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { Log, useTeamNames } from './deliveries.tsx';
import styles from './developers.module.css';
import { KeyReveal } from './key-reveal.tsx';
import {
  changeSubscription,
  deliveriesQuery,
  groupsQuery,
  makeKey,
  subscriptionQuery,
  unsubscribe,
} from './queries.ts';
import { Replay } from './replay.tsx';
import { SubscriptionFields, subscriptionBody, useSubscriptionDraft } from './subscription-fields.tsx';
import { StateBadge, stateOf, useKindNames } from './subscription-state.tsx';

/** One subscription: how it fares, what it was sent, and its fields. */
export function SubscriptionView() {
  const [key, setKey] = useState<string>();
  const onStored = () => {
    setKey(undefined);
    // The pressed button is gone.
    document.getElementById('content')?.focus();
  };
  return (
    <>
      {key !== undefined && <KeyReveal value={key} onStored={onStored} />}
      {/* Only hidden: its form may have changes that are not saved. */}
      <div className={styles.part} hidden={key !== undefined}>
        <Page onKey={setKey} />
      </div>
    </>
  );
}

type OnKey = (key: string | undefined) => void;

function Page({ onKey }: { onKey: OnKey }) {
  const { application, subscription } = useParams({
    from: '/signed-in/developers/$application/subscriptions/$subscription',
  });
  const t = useTranslations('developers.subscriptions');
  const query = useQuery(subscriptionQuery(application, subscription));
  return (
    <>
      <div>
        <ButtonLink small look="quiet" to="/developers/$application/subscriptions" params={{ application }}>
          <ArrowLeft size={16} aria-hidden />
          {t('back')}
        </ButtonLink>
      </div>
      <Loaded query={query}>
        {(data) => (
          <>
            <Standing subscription={data} onKey={onKey} />
            {data.webhook && <Calls subscription={data} />}
            {data.webhook && <Replay subscription={data} />}
            <Groups subscription={data} />
            <Change key={data.id} subscription={data} onKey={onKey} />
            <Delete subscription={data} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Standing({ subscription, onKey }: { subscription: Subscription; onKey: OnKey }) {
  const t = useTranslations('developers.subscriptions');
  const { summary } = useKindNames();
  const { nameOf } = useTeamNames();
  const { id, webhook, teams, object_type, mentions_only, own_messages } = subscription;
  const filters = [
    ...(mentions_only ? [t('mentionsOnly')] : []),
    ...(own_messages ? [t('ownMessages')] : []),
    ...(object_type === null ? [] : [t('ofType', { type: object_type })]),
  ];
  return (
    <Card title={summary(subscription)}>
      <StateNotice subscription={subscription} />
      <dl className={styles.facts}>
        <dt>{t('state')}</dt>
        <dd>
          <StateBadge subscription={subscription} />
        </dd>
        <dt>{t('way')}</dt>
        <dd>{webhook?.url ?? t('own')}</dd>
        <dt>{t('teams')}</dt>
        <dd>{teams === null ? t('teamsAll') : teams.map(nameOf).join(', ')}</dd>
        {filters.length > 0 && (
          <>
            <dt>{t('filters')}</dt>
            <dd>{filters.join(', ')}</dd>
          </>
        )}
        <dt>{t('id')}</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
      {webhook && <Actions subscription={subscription} onKey={onKey} />}
    </Card>
  );
}

/** What is wrong with the webhook, and what ends it. */
function StateNotice({ subscription }: { subscription: Subscription }) {
  const t = useTranslations('developers.subscriptions.notices');
  const state = stateOf(subscription);
  const { failing_since, paused_until } = subscription.webhook ?? {};
  if (state === 'own' || state === 'active') return null;
  if (state === 'paused') return <Notice>{t('paused')}</Notice>;
  return (
    <Notice kind={state === 'gone' || state === 'failed' ? 'danger' : 'warning'}>
      {t.rich(state, {
        since: () => <Time at={failing_since ?? 0} style="full" />,
        until: () => <Time at={paused_until ?? 0} style="full" />,
      })}
    </Notice>
  );
}

function Actions({ subscription, onKey }: { subscription: Subscription; onKey: OnKey }) {
  const t = useTranslations('developers.subscriptions');
  const failure = useFailureText();
  const state = stateOf(subscription);
  const isCalled = state === 'active' || state === 'failing';
  const turn = useMutation({
    // It returns nothing: the cache keeps the results of mutations, and must not keep a key.
    mutationFn: async (change: object) => onKey((await changeSubscription(subscription, change)).key),
  });
  const renew = useMutation({ mutationFn: async () => onKey(await makeKey(subscription)) });
  const error = turn.error ?? renew.error;
  return (
    <div className={styles.group}>
      <div className={styles.row}>
        {state !== 'active' && (
          <Button busy={turn.isPending} onClick={() => turn.mutate({ resume: true })}>
            {t('resume')}
          </Button>
        )}
        {isCalled && (
          <Button busy={turn.isPending} onClick={() => turn.mutate({ pause: true })}>
            {t('pause')}
          </Button>
        )}
        <Button busy={renew.isPending} onClick={() => renew.mutate()}>
          {t('newKey')}
        </Button>
      </div>
      {error && <Notice kind="danger">{failure(error)}</Notice>}
    </div>
  );
}

/** The calls that sent its events. */
function Calls({ subscription: { application, id } }: { subscription: Subscription }) {
  const t = useTranslations('developers');
  const query = useInfiniteQuery(deliveriesQuery(application, { subscription: id }));
  return (
    <Card title={t('subscriptions.calls')} lead={t('subscriptions.callsLead')}>
      <Loaded query={query} rows={2}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          return all.length === 0 ? (
            <Empty icon={Inbox} title={t('subscriptions.noCalls')}>
              <p>{t('subscriptions.noCallsText')}</p>
            </Empty>
          ) : (
            <Log deliveries={all} />
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <div>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('deliveries.older')}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** The groups that read with cursors of their own. */
function Groups({ subscription: { application, id } }: { subscription: Subscription }) {
  const t = useTranslations('developers.subscriptions');
  const { data: groups = [] } = useQuery(groupsQuery(application, id));
  if (groups.length === 0) return null;
  return (
    <Card title={t('groups')} lead={t('groupsLead')}>
      <Table label={t('group')} head={[t('group'), t('used'), t('copies')]}>
        {groups.map(({ name, used_at, copies }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>
              <Time at={used_at} />
            </td>
            <td>{copies}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function Change({ subscription, onKey }: { subscription: Subscription; onKey: OnKey }) {
  const t = useTranslations('developers.subscriptions');
  const common = useTranslations('common');
  const [draft, setDraft] = useSubscriptionDraft(subscription);
  const send = async (values: Record<string, string>) =>
    onKey((await changeSubscription(subscription, subscriptionBody(draft, values, subscription))).key);
  return (
    <Card title={t('change')} lead={t(subscription.own ? 'changeOwnLead' : 'changeLead')}>
      <Form send={send} onDone={() => tell(common('saved'))} submit={common('save')}>
        {({ errorOf }) => (
          <SubscriptionFields draft={draft} onChange={setDraft} before={subscription} errorOf={errorOf} />
        )}
      </Form>
    </Card>
  );
}

function Delete({ subscription }: { subscription: Subscription }) {
  const t = useTranslations('developers.subscriptions');
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { application } = subscription;
  const act = async () => {
    await unsubscribe(subscription);
    tell(t('deleted'));
    await navigate({ to: '/developers/$application/subscriptions', params: { application } });
  };
  return (
    <div>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('deleteTitle')}
        description={t('deleteText')}
        action={t('delete')}
        act={act}
      />
    </div>
  );
}
