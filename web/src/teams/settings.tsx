import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call, callOne, refusal } from '../api/client.ts';
import type { Membership, Team } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { changesOf } from '../design/changes.ts';
import { Dialog } from '../design/dialog.tsx';
import { Switch, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { Admins } from './admins.tsx';
import { TeamDomainRules } from './domain-rules.tsx';
import { Groups } from './groups.tsx';
import { JoinLinks } from './join-links.tsx';
import { LinkPreviews } from './link-previews.tsx';
import { LookFields, lookOf } from './look.tsx';
import { LeaveDialog } from './member-row.tsx';
import { refreshMemberships } from './queries.ts';
import { administers, TeamFrame } from './team-frame.tsx';

export function TeamSettings() {
  const { team } = useParams({ from: '/signed-in/teams/$team/settings' });
  return (
    <TeamFrame team={team} part="settings">
      {(own) => (
        <>
          <Own own={own} />
          {administers(own) ? <LookCard own={own} /> : <Admins team={team} />}
          {administers(own) && <Access own={own} />}
          {administers(own) && <JoinLinks team={team} />}
          {administers(own) && <TeamDomainRules team={team} />}
          {administers(own) && <LinkPreviews own={own} />}
          <Groups own={own} />
          <Leave own={own} />
          {administers(own) && <Close own={own} />}
        </>
      )}
    </TeamFrame>
  );
}

/** Settings of the reader's own membership. */
function Own({ own }: { own: Membership }) {
  const t = useTranslations('teams.settings');
  const text = useFailureText();
  const change = useMutation({
    mutationFn: (body: { is_muted?: boolean; is_favorite?: boolean }) =>
      callOne<Membership>(`/v1/users/me/teams/${own.team.id}`, { method: 'PATCH', body }),
    onSuccess: refreshMemberships,
  });
  const { is_favorite, is_muted } = { ...own, ...(change.isPending && asNumbers(change.variables)) };
  return (
    <Card title={t('own')}>
      <Switch
        label={t('favorite')}
        hint={t('favoriteHint')}
        checked={is_favorite === 1}
        onChange={(checked) => change.mutate({ is_favorite: checked })}
      />
      <Switch
        label={t('muted')}
        hint={t('mutedHint')}
        checked={is_muted === 1}
        onChange={(checked) => change.mutate({ is_muted: checked })}
      />
      {change.error && <Notice kind="danger">{text(change.error)}</Notice>}
    </Card>
  );
}

const asNumbers = (change: Record<string, boolean>) =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [name, Number(value)]));

function LookCard({ own }: { own: Membership }) {
  const t = useTranslations('teams.settings');
  const common = useTranslations('common');
  const { id, name, color, icon, description } = own.team;
  const start = { name, color, icon, description };
  const save = (values: Record<string, string>) =>
    callOne<Team>(`/v1/teams/${id}`, { method: 'PATCH', body: changesOf(start, lookOf(values)) });
  const onDone = () => {
    tell(t('saved'));
    void refreshMemberships();
  };
  return (
    <Card title={t('look')}>
      <Form send={save} onDone={onDone} submit={common('save')}>
        {({ errorOf }) => <LookFields start={start} errorOf={errorOf} />}
      </Form>
    </Card>
  );
}

/** Whether the team is open to everybody on the server. */
function Access({ own }: { own: Membership }) {
  const t = useTranslations('teams.settings');
  const text = useFailureText();
  const change = useMutation({
    mutationFn: (open: boolean) =>
      callOne<Team>(`/v1/teams/${own.team.id}`, { method: 'PATCH', body: { open } }),
    onSuccess: refreshMemberships,
  });
  return (
    <Card title={t('access')}>
      <Switch
        label={t('open')}
        hint={t('openHint')}
        checked={change.isPending ? change.variables : own.team.open}
        onChange={(checked) => change.mutate(checked)}
      />
      {change.error && <Notice kind="danger">{text(change.error)}</Notice>}
    </Card>
  );
}

function Leave({ own }: { own: Membership }) {
  const t = useTranslations('teams.settings');
  const [asking, setAsking] = useState(false);
  return (
    <Card title={t('leave')} lead={t('leaveHint')}>
      <div>
        <Button onClick={() => setAsking(true)}>{t('leave')}</Button>
      </div>
      <LeaveDialog own={own} open={asking} onClose={() => setAsking(false)} />
    </Card>
  );
}

function Close({ own }: { own: Membership }) {
  const t = useTranslations('teams.settings');
  const [asking, setAsking] = useState(false);
  return (
    <Card title={t('close')} lead={t('closeHint')}>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('close')}
        </Button>
      </div>
      <CloseDialog own={own} open={asking} onClose={() => setAsking(false)} />
    </Card>
  );
}

/** Asks for the team's name, because it concerns everybody in it. */
function CloseDialog({ own, open, onClose }: { own: Membership; open: boolean; onClose: () => void }) {
  const t = useTranslations('teams.settings');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const { id, name: team, num_members: count } = own.team;
  const close = async ({ name = '' }: Record<string, string>) => {
    if (name.trim() !== team.trim()) {
      throw refusal(400, { code: 4002, reason: 'name', message: t('closeMismatch') });
    }
    await call(`/v1/teams/${id}`, { method: 'DELETE' });
  };
  const onDone = async () => {
    tell(t('closed', { team }));
    await navigate({ to: '/inbox' });
    await refreshMemberships();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('closeTitle', { team })}
      description={t('closeText', { count })}
    >
      <Form
        send={close}
        onDone={() => void onDone()}
        submit={t('close')}
        look="danger"
        actions={<Button onClick={onClose}>{common('cancel')}</Button>}
      >
        {({ errorOf }) => (
          <TextField
            label={t('closeType', { team })}
            name="name"
            required
            autoComplete="off"
            error={errorOf('name')}
          />
        )}
      </Form>
    </Dialog>
  );
}
