import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Users as UsersIcon } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiError, call, refusal } from '../api/client.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge } from '../design/page.tsx';
import { nameOf } from '../design/person.tsx';
import { Empty } from '../design/states.tsx';
import { tell } from '../design/toast.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { Pages } from './pages.tsx';
import { PersonPicker, usePicked } from './person-picker.tsx';
import { type AnyTeam, refresh, teamsQuery } from './queries.ts';

/** All teams, including closed ones. */
export function Teams() {
  const t = useTranslations('administration.teams');
  const { show } = useSearch({ from: '/signed-in/admin/teams' });
  const navigate = useNavigate({ from: '/admin/teams' });
  const query = useInfiniteQuery(teamsQuery(show && show === 'active'));
  const choose = (value: string) =>
    void navigate({ search: value === 'active' || value === 'closed' ? { show: value } : {} });
  return (
    <AdminPage part="teams" lead={t('lead')}>
      <div className={styles.filters}>
        <Select label={t('show')} value={show ?? ''} onChange={({ target }) => choose(target.value)}>
          <option value="">{t('all')}</option>
          <option value="active">{t('active')}</option>
          <option value="closed">{t('closed')}</option>
        </Select>
      </div>
      <Pages query={query}>
        {(teams) =>
          teams.length === 0 ? (
            <Empty icon={UsersIcon} title={t('none')}>
              <p>{t('noneText')}</p>
            </Empty>
          ) : (
            <List label={t('list')}>
              {teams.map((team) => (
                <TeamRow key={team.id} team={team} />
              ))}
            </List>
          )
        }
      </Pages>
    </AdminPage>
  );
}

function TeamRow({ team }: { team: AnyTeam }) {
  const t = useTranslations('administration.teams');
  const counts = useTranslations('common.team');
  const format = useFormatter();
  const [open, setOpen] = useState(false);
  const on = (at: number) => ({ date: format.dateTime(at * 1000, { dateStyle: 'medium' }) });
  const details = [
    counts('memberCount', { count: team.num_members }),
    t('created', on(team.created_at)),
    team.deleted_at !== null && t('closedAt', on(team.deleted_at)),
    team.erased_after !== null && !team.erased && t('erasedAfter', on(team.erased_after)),
  ];
  const action = team.active ? 'appoint' : 'restore';
  return (
    <ListRow
      title={team.name}
      detail={details.filter(Boolean).join(' · ')}
      aside={
        team.active ? (
          !team.has_admin && <Badge kind="warning">{t('nobodyLeads')}</Badge>
        ) : (
          <Badge kind={team.erased ? 'danger' : 'warning'}>{t(team.erased ? 'isErased' : 'isClosed')}</Badge>
        )
      }
      actions={
        !team.erased && (
          <>
            <Button small onClick={() => setOpen(true)} aria-label={t(`${action}Label`, { team: team.name })}>
              {t(action)}
            </Button>
            {open && team.active && <AppointDialog team={team} onClose={() => setOpen(false)} />}
            {open && !team.active && <RestoreDialog team={team} onClose={() => setOpen(false)} />}
          </>
        )
      }
    />
  );
}

function AppointDialog({ team, onClose }: { team: AnyTeam; onClose: () => void }) {
  const t = useTranslations('administration.teams');
  const picked = usePicked();
  const appoint = async () => {
    const person = picked.required();
    try {
      await call(`/v1/admin/teams/${team.id}/admins/${person.id}`, { method: 'PUT' });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        throw refusal(400, { code: 4002, reason: 'person', message: t('notMember') });
      throw error;
    }
    tell(t('appointed', { name: nameOf(person), team: team.name }));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('appointTitle', { team: team.name })}
      description={t('appointText')}
    >
      <Form send={appoint} onDone={onClose} submit={t('appoint')}>
        {({ errorOf }) => <PersonPicker picked={picked} error={errorOf('person')} />}
      </Form>
    </Dialog>
  );
}

/** Asks for a new admin only where none is left. */
function RestoreDialog({ team, onClose }: { team: AnyTeam; onClose: () => void }) {
  const t = useTranslations('administration.teams');
  const picked = usePicked();
  const [needsAdmin, setNeedsAdmin] = useState(false);
  const restore = async () => {
    const body = needsAdmin ? { admin: picked.required().id } : {};
    try {
      await call(`/v1/admin/teams/${team.id}/restore`, { method: 'POST', body });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'no_admin') return setNeedsAdmin(true);
      if (error.status === 404 && needsAdmin)
        throw refusal(400, { code: 4002, reason: 'person', message: t('notMember') });
      throw error;
    }
    tell(t('restored', { team: team.name }));
    onClose();
    await refresh('/v1/admin/teams');
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('restoreTitle', { team: team.name })}
      description={t('restoreText')}
    >
      <Form send={restore} submit={t('restore')}>
        {({ errorOf }) =>
          needsAdmin && (
            <>
              <Notice kind="warning">{t('noAdmin')}</Notice>
              <PersonPicker picked={picked} error={errorOf('person')} />
            </>
          )
        }
      </Form>
    </Dialog>
  );
}
