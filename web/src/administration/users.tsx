import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate, useSearch } from '@tanstack/react-router';
import { UserSearch } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Avatar } from '../design/avatar.tsx';
import { AddressField } from '../design/field.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Badge } from '../design/page.tsx';
import { nameOf } from '../design/person.tsx';
import { Empty } from '../design/states.tsx';
import { AdminPage } from './administration.tsx';
import { DomainRules } from './domain-rules.tsx';
import { InviteMenu } from './invite-menu.tsx';
import { Pages } from './pages.tsx';
import { type Account, accountsQuery } from './queries.ts';
import { UserMenu } from './user-menu.tsx';

/** Every account of the server. */
export function Users() {
  const t = useTranslations('administration.users');
  const { q = '' } = useSearch({ from: '/signed-in/admin/users' });
  const navigate = useNavigate({ from: '/admin/users' });
  const query = useInfiniteQuery(accountsQuery(useDeferredValue(q)));
  return (
    <AdminPage part="users" lead={t('lead')} actions={<InviteMenu />}>
      <search>
        <AddressField
          label={t('search')}
          type="search"
          required
          value={q}
          onChange={({ target }) => void navigate({ search: { q: target.value }, replace: true })}
        />
      </search>
      <Pages query={query}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Empty icon={UserSearch} title={t('none', { query: q })}>
              <p>{t('noneText')}</p>
            </Empty>
          ) : (
            <List label={t('list')}>
              {accounts.map((account) => (
                <UserRow key={account.id} account={account} />
              ))}
            </List>
          )
        }
      </Pages>
      <DomainRules />
    </AdminPage>
  );
}

function UserRow({ account }: { account: Account }) {
  const t = useTranslations('administration.users');
  const format = useFormatter();
  const since = t('since', { date: format.dateTime(account.created_at * 1000, { dateStyle: 'medium' }) });
  const userName = account.username && `@${account.username}`;
  return (
    <ListRow
      icon={<Avatar person={account} />}
      title={<Link to={`/people/${account.id}` as LinkProps['to']}>{nameOf(account) || account.email}</Link>}
      detail={[account.email, userName, account.title, since].filter(Boolean).join(' · ')}
      aside={
        <>
          {account.superuser && <Badge kind="success">{t('superuser')}</Badge>}
          {!account.active && <Badge kind="danger">{t('closed')}</Badge>}
        </>
      }
      actions={<UserMenu account={account} />}
    />
  );
}
