import { useMutation, useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { call, callOne } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Membership, PeopleGroup, Team } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { Switch, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { type Chosen, PeopleField } from '../design/people-field.tsx';
import { nameOf } from '../design/person.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { groupsQuery } from './called.ts';
import { allMembersQuery, refreshMemberships } from './queries.ts';
import { administers } from './team-frame.tsx';
import styles from './teams.module.css';

/** The groups of a team, and who is in them; admins make and change them, and say whether programs may call many. */
export function Groups({ own }: { own: Membership }) {
  const t = useTranslations('teams.groups');
  const team = own.team.id;
  const isAdmin = administers(own);
  const { data: groups = [] } = useQuery(groupsQuery(team));
  const { data: members } = useQuery({ ...allMembersQuery(team), enabled: groups.length > 0 });
  const [edited, setEdited] = useState<PeopleGroup | 'new'>();
  const [deleted, setDeleted] = useState<PeopleGroup>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: groupsQuery(team).queryKey });
  const onDone = () => {
    setEdited(undefined);
    tell(t('saved'));
    void refresh();
  };
  const remove = async () => {
    await call(`/v1/teams/${team}/groups/${deleted?.id}`, { method: 'DELETE' });
    tell(t('deleted'));
    await refresh();
  };
  if (!isAdmin && groups.length === 0) return null;
  const group = edited === 'new' ? undefined : edited;
  return (
    <Card title={t('title')} lead={t('lead')}>
      <div className={styles.links}>
        {groups.length > 0 && (
          <List label={t('title')}>
            {groups.map((one) => (
              <GroupRow key={one.id} group={one} members={members}>
                {isAdmin && (
                  <>
                    <Button
                      small
                      onClick={() => setEdited(one)}
                      aria-label={t('editNamed', { name: one.name })}
                    >
                      {t('edit')}
                    </Button>
                    <Button
                      small
                      onClick={() => setDeleted(one)}
                      aria-label={t('deleteNamed', { name: one.name })}
                    >
                      {t('delete')}
                    </Button>
                  </>
                )}
              </GroupRow>
            ))}
          </List>
        )}
        {isAdmin && (
          <div className={styles.actions}>
            <Button onClick={() => setEdited('new')}>{t('make')}</Button>
          </div>
        )}
        {isAdmin && <Programs own={own} />}
      </div>
      <Dialog
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={group ? t('editNamed', { name: group.name }) : t('make')}
        description={t('makeLead')}
      >
        <GroupForm team={team} group={group} onDone={onDone} />
      </Dialog>
      <Confirm
        open={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        title={t('deleteTitle', { name: deleted?.name ?? '' })}
        description={t('deleteText')}
        action={t('delete')}
        act={remove}
      />
    </Card>
  );
}

function GroupRow(props: {
  group: PeopleGroup;
  members: readonly Membership[] | undefined;
  children: ReactNode;
}) {
  const { group, members = [], children } = props;
  const t = useTranslations('teams.groups');
  const format = useFormatter();
  const names = members.filter(({ userid }) => group.users.includes(userid)).map(({ user }) => nameOf(user));
  return (
    <ListRow
      icon={<Users size={18} aria-hidden />}
      title={<bdi>@{group.name}</bdi>}
      detail={names.length > 0 ? format.list(names) : t('people', { count: group.users.length })}
      actions={children}
    />
  );
}

function GroupForm(props: { team: string; group: PeopleGroup | undefined; onDone: () => void }) {
  const { team, group, onDone } = props;
  const { data: members } = useQuery({ ...allMembersQuery(team), enabled: group !== undefined });
  if (group && !members) return null;
  const inGroup = (members ?? []).filter(({ userid }) => group?.users.includes(userid));
  return <GroupFields team={team} group={group} onDone={onDone} before={inGroup.map(chosenOf)} />;
}

const chosenOf = ({ user }: Membership): Chosen => ({
  kind: 'person',
  id: user.id,
  name: nameOf(user),
  person: user,
});

function GroupFields(props: {
  team: string;
  group: PeopleGroup | undefined;
  before: readonly Chosen[];
  onDone: () => void;
}) {
  const { team, group, before, onDone } = props;
  const t = useTranslations('teams.groups');
  const [people, setPeople] = useState(before);
  const send = ({ name = '' }: Record<string, string>) =>
    callOne<PeopleGroup>(`/v1/teams/${team}/groups${group ? `/${group.id}` : ''}`, {
      method: group ? 'PATCH' : 'POST',
      body: { name: name.trim().replace(/^@/, ''), users: people.map(({ id }) => id) },
    });
  return (
    <Form send={send} onDone={onDone} submit={t('save')}>
      {({ errorOf }) => (
        <>
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            name="name"
            defaultValue={group?.name}
            required
            maxLength={50}
            spellCheck={false}
            autoComplete="off"
            error={errorOf('name') ?? errorOf('group_name')}
          />
          <PeopleField label={t('who')} chosen={people} onChange={setPeople} within={team} />
        </>
      )}
    </Form>
  );
}

/** Whether what programs write calls many. */
function Programs({ own }: { own: Membership }) {
  const t = useTranslations('teams.groups');
  const text = useFailureText();
  const change = useMutation({
    mutationFn: (programs_notify: boolean) =>
      callOne<Team>(`/v1/teams/${own.team.id}`, { method: 'PATCH', body: { programs_notify } }),
    onSuccess: refreshMemberships,
  });
  return (
    <>
      <Switch
        label={t('programs')}
        hint={t('programsHint')}
        checked={change.isPending ? change.variables : own.team.programs_notify}
        onChange={(checked) => change.mutate(checked)}
      />
      {change.error && <Notice kind="danger">{text(change.error)}</Notice>}
    </>
  );
}
