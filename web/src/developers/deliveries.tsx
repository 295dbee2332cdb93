import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import type { Delivery } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { Table } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useApplication } from './application.tsx';
import { filterKinds, filterStatuses, StatusBadge, useKindText } from './delivery-parts.tsx';
import styles from './developers.module.css';
import { deliveriesQuery, installationsQuery } from './queries.ts';
import { TestCallback } from './test-callback.tsx';

/** The filter of the log, kept in the URL. */
export interface DeliveryFilter {
  readonly status?: string;
  readonly kind?: string;
  readonly team?: string;
}

const fits = (delivery: Delivery, { status, kind }: DeliveryFilter) =>
  (status === undefined || delivery.status === status) && (kind === undefined || delivery.kind === kind);

/** Every call of the platform to the application, the newest first. */
export function Deliveries() {
  const t = useTranslations('developers.deliveries');
  const { id, preinstall_url } = useApplication();
  const filter = useSearch({ from: '/signed-in/developers/$application/deliveries' });
  const query = useInfiniteQuery(deliveriesQuery(id, filter));
  return (
    <>
      {preinstall_url !== null && <TestCallback application={id} />}
      <Filters filter={filter} />
      <Loaded query={query}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          const shown = all.filter((delivery) => fits(delivery, filter));
          return (
            <>
              {shown.length > 0 && <Log deliveries={shown} />}
              {shown.length === 0 && (
                <Empty icon={Inbox} title={t(all.length > 0 ? 'noneFits' : 'none')}>
                  <p>{t(all.length > 0 ? 'noneFitsText' : 'noneText')}</p>
                </Empty>
              )}
              {query.hasNextPage && (
                <div>
                  <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t('older')}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Filters({ filter }: { filter: DeliveryFilter }) {
  const t = useTranslations('developers.deliveries');
  const kindText = useKindText();
  const statusText = useTranslations('developers.delivery.statuses');
  const { teams } = useTeamNames();
  const navigate = useNavigate({ from: '/developers/$application/deliveries' });
  const choose = (name: keyof DeliveryFilter) => ({
    value: filter[name] ?? '',
    onChange: ({ target }: { target: HTMLSelectElement }) =>
      void navigate({
        search: (before) => ({ ...before, [name]: target.value === '' ? undefined : target.value }),
        replace: true,
      }),
  });
  return (
    <div className={styles.filters}>
      <Select label={t('status')} {...choose('status')}>
        <option value="">{t('all')}</option>
        {filterStatuses.map((status) => (
          <option key={status} value={status}>
            {statusText(status)}
          </option>
        ))}
      </Select>
      <Select label={t('kind')} {...choose('kind')}>
        <option value="">{t('all')}</option>
        {filterKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindText(kind)}
          </option>
        ))}
      </Select>
      <Select label={t('team')} {...choose('team')}>
        <option value="">{t('all')}</option>
        {teams.map(([team, name]) => (
          <option key={team} value={team}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** The names of the teams that the application may appear in. */
export function useTeamNames() {
  const { id } = useApplication();
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const { data: installations = [] } = useQuery(installationsQuery(id));
  const names = new Map([
    ...memberships.map(({ team }) => [team.id, team.name] as const),
    ...installations.flatMap(({ team }) => (team.name === '' ? [] : [[team.id, team.name] as const])),
  ]);
  return { teams: [...names], nameOf: (team: string) => names.get(team) ?? team };
}

/** A table of calls. */
export function Log({ deliveries }: { deliveries: readonly Delivery[] }) {
  const t = useTranslations('developers.deliveries');
  const kindText = useKindText();
  const { nameOf } = useTeamNames();
  return (
    <Table label={t('title')} head={[t('status'), t('kind'), t('time'), t('attempts'), t('team')]}>
      {deliveries.map((delivery) => (
        <tr key={delivery.id}>
          <td>
            <StatusBadge delivery={delivery} />
          </td>
          <td>
            <Link
              to="/developers/$application/deliveries/$delivery"
              params={{ application: delivery.application, delivery: delivery.id }}
            >
              {kindText(delivery.kind)}
            </Link>
          </td>
          <td>
            <Time at={delivery.created_at} />
          </td>
          <td>{delivery.num_attempts}</td>
          <td>{delivery.team === null ? '–' : nameOf(delivery.team)}</td>
        </tr>
      ))}
    </Table>
  );
}
