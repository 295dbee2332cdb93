import { useFormatter, useTranslations } from 'use-intl';
import { heardKinds } from '../../../src/integration/subscriptions/kinds.ts';
import { hostOf } from '../api/host.ts';
import type { Subscription } from '../api/types.ts';
import { Badge } from '../design/page.tsx';

const KINDS = {
  own: 'neutral',
  active: 'success',
  failing: 'warning',
  waiting: 'warning',
  paused: 'neutral',
  gone: 'danger',
  failed: 'danger',
} as const;

export type SubscriptionState = keyof typeof KINDS;

/** How the webhook of a subscription fares. `own`: it has none; `waiting`: the platform pauses, `paused`: its owner does. */
export function stateOf({ webhook }: Subscription): SubscriptionState {
  if (!webhook) return 'own';
  const { ended, paused_until, failing_since } = webhook;
  if (ended !== null) return ended === 'gone' || ended === 'paused' ? ended : 'failed';
  if (paused_until !== null && paused_until * 1000 > Date.now()) return 'waiting';
  return failing_since === null ? 'active' : 'failing';
}

export function StateBadge({ subscription }: { subscription: Subscription }) {
  const t = useTranslations('developers.subscriptions.states');
  const state = stateOf(subscription);
  return <Badge kind={KINDS[state]}>{t(state)}</Badge>;
}

/** Names kinds of events in the order of the documents; a new one by its own name. */
export function useKindNames() {
  const t = useTranslations('developers.subscriptions.kinds');
  const format = useFormatter();
  const nameOf = (kind: string) => {
    const key = kind.replace('.', '_');
    return t.has(key as never) ? t(key as never) : kind;
  };
  const summary = ({ kinds }: Pick<Subscription, 'kinds'>) =>
    format.list(heardKinds.filter((kind) => kinds.includes(kind)).map(nameOf));
  return { nameOf, summary };
}

/** Where the events go, in short. */
export function useWayText() {
  const t = useTranslations('developers.subscriptions');
  return ({ webhook }: Subscription) => (webhook ? hostOf(webhook.url) : t('own'));
}
