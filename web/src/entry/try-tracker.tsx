import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call, callOne } from '../api/client.ts';
import { EXAMPLE_REGISTRATION, EXAMPLE_URL } from '../api/example.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { Team } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Notice } from '../design/notice.tsx';
import { OpenApplicationLink } from '../design/open-application.tsx';
import { Loaded } from '../design/states.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './entry.module.css';
import { trackerQuery } from './queries.ts';

interface Credentials {
  readonly id: string;
  readonly client_secret: string;
}

/** Registers the example application, shows how it is started, and installs it: what every application goes through. */
export function TryTracker({ team }: { team: Team }) {
  const query = useQuery(trackerQuery(team.id, EXAMPLE_URL));
  // The secret exists only here: it is never shown again.
  const [credentials, setCredentials] = useState<Credentials>();
  return (
    <Loaded query={query} rows={3}>
      {({ application, installed }) => (
        <ol className={styles.steps}>
          <Register id={application} credentials={credentials} onDone={setCredentials} />
          <Start credentials={credentials} />
          <Install team={team} id={application} installed={installed} />
        </ol>
      )}
    </Loaded>
  );
}

interface RegisterProps {
  readonly id: string | undefined;
  readonly credentials: Credentials | undefined;
  readonly onDone: (credentials: Credentials) => void;
}

function Register({ id, credentials, onDone }: RegisterProps) {
  const t = useTranslations('entry.welcome.application.register');
  const failure = useFailureText();
  const register = useMutation({
    mutationFn: async (): Promise<Credentials> => {
      if (id === undefined)
        return callOne<Credentials>('/v1/applications', { method: 'POST', body: EXAMPLE_REGISTRATION });
      const path = `/v1/applications/${id}/secret`;
      const { client_secret } = await callOne<Credentials>(path, { method: 'POST', body: {} });
      return { id, client_secret };
    },
    onSuccess: async (made) => {
      onDone(made);
      await queryClient.invalidateQueries({ queryKey: ['tracker'] });
      // An owner of an application is a developer.
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <li className={styles.stack}>
      <h2>{t('title')}</h2>
      <p>{t(credentials ? 'done' : id ? 'again' : 'text')}</p>
      {register.error && <Notice kind="danger">{failure(register.error)}</Notice>}
      {!credentials && (
        <div>
          <Button busy={register.isPending} onClick={() => register.mutate()}>
            {t(id ? 'newSecret' : 'submit')}
          </Button>
        </div>
      )}
    </li>
  );
}

function Start({ credentials }: { credentials: Credentials | undefined }) {
  const t = useTranslations('entry.welcome.application.start');
  const command =
    credentials &&
    [
      `PARLEY_URL=${location.origin}`,
      `PARLEY_CLIENT_ID=${credentials.id}`,
      `PARLEY_CLIENT_SECRET=${credentials.client_secret}`,
      'node bootstrap.cjs example',
    ].join(' \\\n  ');
  return (
    <li className={styles.stack}>
      <h2>{t('title')}</h2>
      <div role="status" className={styles.stack}>
        <p>{t(command ? 'text' : 'waiting')}</p>
        {command && <Copyable text={command} name={t('command')} />}
      </div>
    </li>
  );
}

function Install({ team, id, installed }: { team: Team; id: string | undefined; installed: boolean }) {
  const t = useTranslations('entry.welcome.application.install');
  const failure = useFailureText();
  const install = useMutation({
    mutationFn: () =>
      call(`/v1/teams/${team.id}/applications`, { method: 'POST', body: { application: id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tracker'] }),
  });
  // The server called it and got no answer, or a wrong one.
  const silent = install.error instanceof ApiError && install.error.status === 424;
  return (
    <li className={styles.stack}>
      <h2>{t('title', { team: team.name })}</h2>
      <p role="status">{t(installed ? 'done' : 'text')}</p>
      {install.error && <Notice kind="danger">{silent ? t('silent') : failure(install.error)}</Notice>}
      <div>
        {installed && id !== undefined ? (
          <OpenApplicationLink application={id} team={team.id}>
            {t('open')}
          </OpenApplicationLink>
        ) : (
          <Button busy={install.isPending} disabled={id === undefined} onClick={() => install.mutate()}>
            {t('submit')}
          </Button>
        )}
      </div>
    </li>
  );
}
