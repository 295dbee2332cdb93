import { useTranslations } from 'use-intl';
import { isLoopback } from '../api/host.ts';
import type { Delivery } from '../api/types.ts';
import { Badge } from '../design/page.tsx';

const KINDS = { delivered: 'success', failed: 'danger', pending: 'warning', replaced: 'neutral' } as const;
const STATUSES = ['delivered', 'failed', 'pending', 'replaced'] as const;
const DELIVERY_KINDS = ['install', 'uninstall', 'team_update', 'test', 'events'] as const;
const REASONS = [
  'timeout',
  'refused_address',
  'dns',
  'connection',
  'tls',
  'protocol',
  'too_large',
  'closed',
  'busy',
  'interrupted',
  'application_deleted',
  'address_removed',
] as const;

export function StatusBadge({ delivery }: { delivery: Pick<Delivery, 'status'> }) {
  const t = useTranslations('developers.delivery.statuses');
  const status = STATUSES.find((one) => one === delivery.status) ?? 'pending';
  return <Badge kind={KINDS[status]}>{t(status)}</Badge>;
}

/** @returns a function that names the kind of a callback */
export function useKindText(): (kind: string) => string {
  const t = useTranslations('developers.delivery.kinds');
  return (kind) => {
    const known = DELIVERY_KINDS.find((one) => one === kind);
    return known ? t(known) : kind;
  };
}

export type Attempt = Delivery['attempts'][number];

/** @returns a function that says why an attempt failed, and what helps; undefined for one that did not */
export function useReasonText(): (delivery: Pick<Delivery, 'kind'>, attempt: Attempt) => string | undefined {
  const t = useTranslations('developers.delivery.reasons');
  return ({ kind }, { reason, request }) => {
    if (reason === null) return undefined;
    const [, status] = /^status_(\d+)$/.exec(reason) ?? [];
    if (status !== undefined) {
      if (status === '401' || status === '403')
        return t(kind === 'events' ? 'refusedKey' : 'refused', { status });
      if (status === '404' || status === '405') return t('unknownPath', { status });
      if (status.startsWith('3')) return t('redirect', { status });
      if (status.startsWith('2')) return t('otherSuccess', { status });
      return t('status', { status });
    }
    // Of programs on its own machine the server tells no failure from another.
    if (reason === 'connection' && isLoopback(URL.parse(request.url)?.hostname ?? ''))
      return t('connectionHere');
    const known = REASONS.find((one) => one === reason);
    return known ? t(known) : reason;
  };
}

export const lastAttempt = ({ attempts, num_attempts }: Delivery) =>
  attempts.find(({ number }) => number === num_attempts);

export const filterKinds = DELIVERY_KINDS;
export const filterStatuses = STATUSES;
