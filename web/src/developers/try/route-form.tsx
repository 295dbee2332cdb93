import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { newKey } from '../../api/keys.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { CheckedForm } from '../../design/checked-form.tsx';
import { Copyable } from '../../design/copy.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { Card } from '../../design/page.tsx';
import { BodyFields, ParameterFields } from './body-fields.tsx';
import { CredentialFields } from './credentials.tsx';
import { exampleOf, type Known } from './example.ts';
import { Method } from './method.tsx';
import type { Route } from './openapi.ts';
import { addressOf, type Credentials, curlOf, type Draft, sendDraft } from './request.ts';
import { Response } from './response.tsx';
import styles from './try.module.css';

function draftOf(route: Route, known: Known): Draft {
  const fits = (name: string) => known[name as keyof Known] ?? '';
  return {
    parameters: Object.fromEntries(
      route.parameters
        .filter(({ in: place, required }) => place === 'path' || required)
        .map(({ name, in: place }) => [`${place}.${name}`, fits(name)]),
    ),
    json: route.body ? JSON.stringify(exampleOf(route.body.schema, known) ?? {}, undefined, 2) : '',
    fields: {},
    file: undefined,
    idempotencyKey: '',
  };
}

interface Props {
  readonly route: Route;
  readonly known: Known;
  readonly credentials: Credentials;
  readonly onCredentials: (credentials: Credentials) => void;
}

/** One route: its parameters, the resulting request, and the server's answer. */
export function RouteForm({ route, known, credentials, onCredentials }: Props) {
  const t = useTranslations('developers.try');
  const [draft, setDraft] = useState(() => draftOf(route, known));
  const [asking, setAsking] = useState(false);
  const used = withPossibleWay(route, credentials);
  const mutation = useMutation({
    mutationFn: () => sendDraft(route, draft, used),
    // The request has real effects, so the data of other views may be stale.
    onSuccess: () => (route.method === 'GET' ? undefined : queryClient.invalidateQueries()),
    // The answer may hold a secret.
    gcTime: 0,
  });
  const problem = jsonProblem(route, draft);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (mutation.isPending || problem !== undefined) return;
    if (route.method === 'DELETE') setAsking(true);
    else mutation.mutate();
  };
  return (
    <>
      <div className={styles.back}>
        <Link from="/developers/try" to="." search={(before) => ({ ...before, route: undefined })}>
          {t('all')}
        </Link>
      </div>
      <Card>
        <div className={styles.group}>
          <h2 className={styles.title}>
            <Method method={route.method} /> <code>{route.path}</code>
          </h2>
          <p>{route.summary}</p>
          {route.description && <p className={styles.soft}>{route.description}</p>}
        </div>
        <CheckedForm className={styles.form} onSubmit={onSubmit}>
          <CredentialFields route={route} credentials={used} onChange={onCredentials} />
          <ParameterFields route={route} draft={draft} onChange={setDraft} />
          <BodyFields route={route} draft={draft} onChange={setDraft} problem={problem} />
          {route.method === 'POST' && route.body?.kind !== 'form' && (
            <IdempotencyKey draft={draft} onChange={setDraft} />
          )}
          <details>
            <summary className={styles.summary}>{t('asCurl')}</summary>
            <Copyable text={curlOf(route, draft, used)} name={t('asCurl')} />
          </details>
          <div>
            <Button type="submit" look="primary" busy={mutation.isPending}>
              {t('send')}
            </Button>
          </div>
        </CheckedForm>
      </Card>
      {mutation.error && <Notice kind="danger">{t('unreachable')}</Notice>}
      {mutation.data && <Response route={route} sent={mutation.data} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('deleteTitle')}
        description={t('deleteText', { address: addressOf(route, draft) })}
        action={t('deleteSend')}
        act={async () => mutation.mutate()}
      />
    </>
  );
}

/** The chosen kind of credentials if the route accepts it, else the first that it accepts. */
function withPossibleWay({ ways }: Route, credentials: Credentials): Credentials {
  const [first = 'session'] = ways;
  return ways.includes(credentials.way) ? credentials : { ...credentials, way: first };
}

function jsonProblem({ body }: Route, { json }: Draft): string | undefined {
  if (body?.kind !== 'json') return undefined;
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function IdempotencyKey({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const t = useTranslations('developers.try');
  const set = (idempotencyKey: string) => onChange({ ...draft, idempotencyKey });
  return (
    <div className={styles.withButton}>
      <KeyField value={draft.idempotencyKey} onChange={set} />
      <Button onClick={() => set(newKey())}>{t('newKey')}</Button>
    </div>
  );
}

function KeyField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslations('developers.try');
  return (
    <TextField
      label="Idempotency-Key"
      value={value}
      maxLength={255}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
      hint={t('keyHint')}
    />
  );
}
