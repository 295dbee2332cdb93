import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import type { Installation } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Switch } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { isLink, useScopeText } from '../text/scopes.ts';
import { ScopeList } from './grants.tsx';
import { refreshInstallations } from './queries.ts';
import styles from './teams.module.css';

/** Scopes, and beginnings of links. */
interface Decision {
  readonly granted: readonly string[];
  readonly declined: readonly string[];
  /** What the admin is told afterwards. */
  readonly told: string;
}

const grantedRights = ({ scopes, link_prefixes }: Installation) => [...scopes, ...link_prefixes];
const declinedRights = (one: Installation) => [...one.declined_scopes, ...one.declined_link_prefixes];

/** What it has asked for since it was installed, and nobody has decided on. */
export const requestedRights = (one: Installation) => [
  ...one.requested_scopes,
  ...one.requested_link_prefixes,
];

/** Decides about the scopes of an installation. */
function useDecision({ application, team, owner }: Installation) {
  return useMutation({
    mutationFn: ({ granted, declined }: Decision) =>
      call(`/v1/teams/${team}/applications/${application.id}/scopes`, {
        method: 'PUT',
        // What the admin decides holds for the owner who is shown.
        body: {
          scopes: granted.filter((one) => !isLink(one)),
          declined: declined.filter((one) => !isLink(one)),
          link_prefixes: granted.filter(isLink),
          declined_link_prefixes: declined.filter(isLink),
          ...(owner && { owner: owner.id }),
        },
      }),
    onSuccess: (_, { told }) => tell(told),
    onSettled: () => refreshInstallations(team),
  });
}

/** What the team has granted sleeps, since the application is in other hands. An admin confirms it; others see whom to ask. */
export function Asleep(props: { installation: Installation; mayConfirm: boolean }) {
  const { installation, mayConfirm } = props;
  const t = useTranslations('teams.application');
  const failure = useFailureText();
  const decide = useDecision(installation);
  const { application, asleep_since, owner } = installation;
  const [granted, declined] = [grantedRights(installation), declinedRights(installation)];
  const { name } = application;
  if (asleep_since === null || installation.status !== 'active') return null;
  const confirm = () => decide.mutate({ granted, declined, told: t('confirmed', { name }) });
  return (
    <Notice kind="warning">
      <strong>{owner ? t('asleep', { name, owner: owner.name }) : t('asleepNobody', { name })}</strong>
      <ScopeList scopes={granted} />
      <p>{t('asleepText')}</p>
      {decide.error && <p>{failure(decide.error)}</p>}
      {mayConfirm && (
        <div className={styles.actions}>
          <Button busy={decide.isPending} onClick={confirm}>
            {t('confirm')}
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** Scopes that an application has requested since it was installed. Admins decide on each; others see whom to ask. */
export function RequestedScopes(props: { installation: Installation; mayGrant: boolean }) {
  const { installation, mayGrant } = props;
  const t = useTranslations('teams.application');
  const failure = useFailureText();
  const textOf = useScopeText();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const decide = useDecision(installation);
  const { name } = installation.application;
  const requested = requestedRights(installation);
  if (requested.length === 0) return null;
  const chosen = requested.filter((scope) => !refused.includes(scope));
  const answer = (more: readonly string[]) =>
    decide.mutate({
      granted: [...grantedRights(installation), ...more],
      declined: [...declinedRights(installation), ...requested.filter((scope) => !more.includes(scope))],
      told: t(more.length > 0 ? 'requestedGranted' : 'declinedTold', { name }),
    });
  return (
    <Notice kind="warning">
      <strong>{t('requested', { name })}</strong>
      {mayGrant ? (
        <div className={styles.tight}>
          {requested.map((scope) => (
            <Switch
              key={scope}
              label={textOf(scope)}
              checked={!refused.includes(scope)}
              onChange={(checked) =>
                setRefused(checked ? refused.filter((one) => one !== scope) : [...refused, scope])
              }
            />
          ))}
        </div>
      ) : (
        <ScopeList scopes={requested} />
      )}
      <p>{t('requestedText')}</p>
      {decide.error && <p>{failure(decide.error)}</p>}
      {mayGrant && (
        <div className={styles.actions}>
          <Button
            busy={decide.isPending}
            aria-disabled={chosen.length === 0}
            onClick={() => chosen.length === 0 || answer(chosen)}
          >
            {t('grantChosen')}
          </Button>
          <Button aria-disabled={decide.isPending} onClick={() => decide.isPending || answer([])}>
            {t('decline')}
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** What was granted and what was declined. An admin takes back the one, and grants the other after all. */
export function DecidedScopes(props: { installation: Installation; mayGrant: boolean }) {
  const { installation, mayGrant } = props;
  const t = useTranslations('teams.application');
  const failure = useFailureText();
  const decide = useDecision(installation);
  const { name } = installation.application;
  const [granted, declined] = [grantedRights(installation), declinedRights(installation)];
  const without = (all: readonly string[], scope: string) => all.filter((one) => one !== scope);
  const takeBack = (scope: string) =>
    decide.mutate({
      granted: without(granted, scope),
      declined: [...declined, scope],
      told: t('takenBack', { name }),
    });
  const grant = (scope: string) =>
    decide.mutate({
      granted: [...granted, scope],
      declined: without(declined, scope),
      told: t('requestedGranted', { name }),
    });
  const busy = decide.isPending;
  return (
    <>
      <div>
        <h3>{t('granted')}</h3>
        {granted.length === 0 ? (
          <p>{t('grantedNone')}</p>
        ) : (
          <Decided scopes={granted} action={t('takeBack')} {...(mayGrant && { act: takeBack })} busy={busy} />
        )}
      </div>
      {declined.length > 0 && (
        <div>
          <h3>{t('declined')}</h3>
          <Decided
            scopes={declined}
            action={t('grantAfterAll')}
            {...(mayGrant && { act: grant })}
            busy={busy}
          />
        </div>
      )}
      {decide.error && <Notice kind="danger">{failure(decide.error)}</Notice>}
    </>
  );
}

/** Scopes in words, each with what can be done about it. */
function Decided(props: {
  scopes: readonly string[];
  action: string;
  act?: (scope: string) => void;
  busy: boolean;
}) {
  const { scopes, action, act, busy } = props;
  const textOf = useScopeText();
  return (
    <ul className={styles.bullets}>
      {scopes.map((scope) => (
        <li key={scope}>
          <div className={styles.split}>
            {textOf(scope)}
            {act && (
              <Button
                small
                aria-label={`${action}: ${textOf(scope)}`}
                aria-disabled={busy}
                onClick={() => busy || act(scope)}
              >
                {action}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
