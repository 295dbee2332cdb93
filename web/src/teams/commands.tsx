import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { commandsIfInstalledQuery, commandsPath, commandsQuery } from '../api/offered.ts';
import { queryClient } from '../api/queries.ts';
import type { Membership, TeamCommand } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Loaded } from '../design/states.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './teams.module.css';

/** For admins: the commands of a team's applications, and which application has a name that several want. */
export function Commands({ team }: { team: string }) {
  const t = useTranslations('teams.commands');
  const { data: commands = [] } = useQuery(commandsQuery(team));
  if (commands.length === 0) return null;
  return (
    <section className={styles.tight}>
      <h2>{t('title')}</h2>
      <p className={styles.soft}>{t('lead')}</p>
      <List label={t('title')}>
        {commands.map((one) => (
          <CommandRow key={`${one.name} ${one.application.id}`} team={team} command={one} />
        ))}
      </List>
    </section>
  );
}

function CommandRow({ team, command }: { team: string; command: TeamCommand }) {
  const t = useTranslations('teams.commands');
  const failure = useFailureText();
  const { name, hint, description, application, taken_by: holder } = command;
  const give = useMutation({
    mutationFn: () =>
      call<TeamCommand>(`${commandsPath(team)}/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body: { application: application.id },
      }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(commandsQuery(team).queryKey, data);
      tell(t('given', { command: name, name: application.name }));
    },
  });
  return (
    <ListRow
      icon={<ApplicationIcon application={application} />}
      title={
        <>
          <bdi>/{name}</bdi>
          {hint !== '' && <bdi className={styles.soft}>{hint}</bdi>}
        </>
      }
      detail={t('of', { name: application.name, does: description })}
      actions={
        holder && (
          <Button
            small
            busy={give.isPending}
            aria-label={`${t('give', { name: application.name })}: /${name}`}
            onClick={() => give.mutate()}
          >
            {t('give', { name: application.name })}
          </Button>
        )
      }
    >
      {holder && <p>{t('taken', { name: holder.name })}</p>}
      {give.error && <Notice kind="danger">{failure(give.error)}</Notice>}
    </ListRow>
  );
}

/** Before an admin installs an application: the commands that it brings, and those that another one has. */
export function BroughtCommands({ own, application }: { own: Membership; application: { id: string } }) {
  const t = useTranslations('teams.commands');
  const query = useQuery(commandsIfInstalledQuery(own.team.id, application.id));
  return (
    <Loaded query={query} rows={1}>
      {(all: TeamCommand[]) => {
        const brought = all.filter((one) => one.application.id === application.id);
        if (brought.length === 0) return null;
        return (
          <div>
            <h3>{t('brings')}</h3>
            <ul className={styles.bullets}>
              {brought.map(({ name, description, taken_by: holder }) => (
                <li key={name}>
                  <bdi>/{name}</bdi>: <bdi>{description}</bdi>
                  {holder && <p className={styles.collides}>{t('collides', { name: holder.name })}</p>}
                </li>
              ))}
            </ul>
          </div>
        );
      }}
    </Loaded>
  );
}
