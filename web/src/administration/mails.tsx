import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Mail as MailIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { hasWords } from '../api/matching.ts';
import { serverQuery } from '../api/queries.ts';
import type { Mail } from '../api/types.ts';
import { AddressField, Select } from '../design/field.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Empty } from '../design/states.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { MailDialog } from './mail.tsx';
import { MailStatus, reasonKey } from './mail-status.tsx';
import { Pages } from './pages.tsx';
import { mailsQuery } from './queries.ts';

const route = { from: '/signed-in/admin/mails' } as const;
const STATUSES = ['pending', 'sent', 'failed', 'kept', 'dropped'] as const;

/** The mails that the server has sent, or would have sent. */
export function Mails() {
  const t = useTranslations('administration.mails');
  const { mail } = useSearch(route);
  const navigate = useNavigate({ from: '/admin/mails' });
  const { data: server } = useQuery(serverQuery);
  const { query, fits, isFiltered } = useMails();
  return (
    <AdminPage part="mails" lead={t('lead')}>
      {server?.mail === false && <Notice>{t('kept')}</Notice>}
      <Filter />
      <Pages query={query}>
        {(all) => {
          const found = all.filter(fits);
          if (found.length === 0 && !query.hasNextPage)
            return (
              <Empty icon={MailIcon} title={t(isFiltered ? 'noneFilter' : 'none')}>
                <p>{t(isFiltered ? 'noneFilterText' : 'noneText')}</p>
              </Empty>
            );
          return (
            <List label={t('list')}>
              {found.map((one) => (
                <MailRow key={one.id} mail={one} />
              ))}
            </List>
          );
        }}
      </Pages>
      {mail !== undefined && (
        <MailDialog id={mail} onClose={() => void navigate({ search: ({ mail: _, ...rest }) => rest })} />
      )}
    </AdminPage>
  );
}

/** The server does not filter mails, so pages are read until enough match. */
function useMails() {
  const { status, to = '' } = useSearch(route);
  const query = useInfiniteQuery(mailsQuery);
  const isFiltered = status !== undefined || to !== '';
  const fits = (mail: Mail) =>
    (status === undefined || mail.status === status) && hasWords(`${mail.to} ${mail.subject}`, to);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const hasSome = query.data?.pages.some(({ data }) => data.some(fits)) ?? false;
  useEffect(() => {
    // After a failure the button continues: immediate retries would add load to a busy server.
    if (isFiltered && !hasSome && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isFiltered, hasSome, hasNextPage, isFetching, isError, fetchNextPage]);
  return { query, fits, isFiltered };
}

function Filter() {
  const t = useTranslations('administration.mails');
  const { status = '', to = '' } = useSearch(route);
  const navigate = useNavigate({ from: '/admin/mails' });
  const change = (part: { status?: string; to?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <search className={styles.filters}>
      <AddressField
        label={t('to')}
        type="search"
        required
        value={to}
        onChange={({ target }) => change({ to: target.value })}
      />
      <Select label={t('status')} value={status} onChange={({ target }) => change({ status: target.value })}>
        <option value="">{t('anyStatus')}</option>
        {STATUSES.map((name) => (
          <option key={name} value={name}>
            {t(`statuses.${name}`)}
          </option>
        ))}
      </Select>
    </search>
  );
}

function MailRow({ mail }: { mail: Mail }) {
  const t = useTranslations('administration.mails');
  const format = useFormatter();
  const date = format.dateTime(mail.created_at * 1000, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <ListRow
      title={
        <Link from="/admin/mails" to="/admin/mails" search={(before) => ({ ...before, mail: mail.id })}>
          {mail.subject}
        </Link>
      }
      detail={[mail.to, t(`kinds.${mail.kind as 'messages'}`), date].join(' · ')}
      aside={<MailStatus status={mail.status} />}
    >
      {mail.reason !== null && <p className={styles.soft}>{t(reasonKey(mail), { reason: mail.reason })}</p>}
    </ListRow>
  );
}
