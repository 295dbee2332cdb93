import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  EllipsisVertical,
  Lock,
  LockOpen,
  LogOut,
  ScrollText,
  ShieldCheck,
  ShieldMinus,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call, refusal } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import { IconButton } from '../design/button.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { Notice } from '../design/notice.tsx';
import { nameOf } from '../design/person.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { type Account, refresh } from './queries.ts';

/** Each thing that can be done to an account: what it is called, asked, and sent as. */
const ACTS = {
  make: { method: 'PATCH', body: { superuser: true }, action: 'makeSuperuser', done: 'madeSuperuser' },
  take: { method: 'PATCH', body: { superuser: false }, action: 'takeSuperuser', done: 'tookSuperuser' },
  close: { method: 'PATCH', body: { active: false }, action: 'close', done: 'closedNow' },
  signOut: { method: 'DELETE', body: undefined, action: 'signOut', done: 'signedOut' },
  open: { method: 'PATCH', body: { active: true }, action: 'open', done: 'opened' },
  delete: { method: 'DELETE', body: undefined, action: 'delete', done: 'deleted' },
} as const;
type Act = keyof typeof ACTS;

const REFUSALS = {
  last_superuser: 'lastSuperuser',
  last_admin: 'lastAdmin',
  owns_applications: 'ownsApplications',
} as const;

export function UserMenu({ account }: { account: Account }) {
  const t = useTranslations('administration.users');
  const [asked, setAsked] = useState<Exclude<Act, 'open'>>();
  const [error, setError] = useState<unknown>();
  const change = useChange(account);
  const { data: me } = useQuery(meQuery);
  const { active, superuser, id } = account;
  const icon = { size: 16, 'aria-hidden': true } as const;
  const name = nameOf(account);
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('actions', { name })}>
            <EllipsisVertical size={18} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<ScrollText {...icon} />} link={<Link to="/admin/audit" search={{ actor: id }} />}>
          {t('audit')}
        </MenuItem>
        <MenuItem
          icon={superuser ? <ShieldMinus {...icon} /> : <ShieldCheck {...icon} />}
          onSelect={() => setAsked(superuser ? 'take' : 'make')}
        >
          {t(superuser ? 'takeSuperuser' : 'makeSuperuser')}
        </MenuItem>
        {active && (
          <MenuItem icon={<LogOut {...icon} />} onSelect={() => setAsked('signOut')}>
            {t('signOut')}
          </MenuItem>
        )}
        {active ? (
          <MenuItem icon={<Lock {...icon} />} onSelect={() => setAsked('close')}>
            {t('close')}
          </MenuItem>
        ) : (
          <MenuItem icon={<LockOpen {...icon} />} onSelect={() => void change('open').catch(setError)}>
            {t('open')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 {...icon} />} onSelect={() => setAsked('delete')}>
          {t('delete')}
        </MenuItem>
      </Menu>
      {asked && (
        <Confirm
          open
          onClose={() => setAsked(undefined)}
          title={t(`${asked}Title`, { name })}
          description={
            <>
              {me?.id === id && (
                <>
                  <strong>{t('self')}</strong>{' '}
                </>
              )}
              {t(`${asked}Text`)}
            </>
          }
          action={t(ACTS[asked].action)}
          act={() => change(asked)}
        />
      )}
      <Failed error={error} onClose={() => setError(undefined)} />
    </>
  );
}

/** For actions without a dialog that could show the error. */
function Failed({ error, onClose }: { error: unknown; onClose: () => void }) {
  const t = useTranslations('common.errors');
  const text = useFailureText();
  return (
    <Dialog open={error !== undefined} onClose={onClose} title={t('title')}>
      {error !== undefined && <Notice kind="danger">{text(error)}</Notice>}
    </Dialog>
  );
}

/** @returns a function that runs it, and explains a refusal by the server */
function useChange(account: Account): (act: Act) => Promise<void> {
  const t = useTranslations('administration.users');
  return async (act) => {
    const { method, body, done } = ACTS[act];
    try {
      const path = `/v1/admin/users/${account.id}${act === 'signOut' ? '/sessions' : ''}`;
      await call(path, { method, ...(body && { body }) });
    } catch (error) {
      const known = error instanceof ApiError && REFUSALS[error.reason as keyof typeof REFUSALS];
      if (!known) throw error;
      // Only the server's text names the team or application.
      const detail = known === 'lastSuperuser' ? '' : ` ${t('detail', { message: error.message })}`;
      const message = t(known) + detail;
      throw refusal(409, { code: 4090, message });
    }
    tell(t(done, { name: nameOf(account) }));
    await Promise.all([
      refresh('/v1/admin/users'),
      queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
  };
}
