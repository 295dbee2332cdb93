import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EXAMPLE } from '../api/example.ts';
import type { Application } from '../api/types.ts';
import { ButtonLink } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { Card, PageBody } from '../design/page.tsx';
import { ApplicationFields, fieldsOf, useApplicationDraft } from './application-fields.tsx';
import { useNamedErrors } from './named-errors.ts';
import { register } from './queries.ts';
import { SecretReveal } from './secret-reveal.tsx';
import { startExample } from './snippets.ts';
import { UpLink } from './up-link.tsx';

/** Registers an application, then shows its secret for the only time. */
export function Register() {
  const t = useTranslations('developers.register');
  const { example = false } = useSearch({ from: '/signed-in/developers/new' });
  const retold = useNamedErrors();
  const [draft, setDraft] = useApplicationDraft(undefined, example);
  const [made, setMade] = useState<{ application: Application; secret: string | undefined }>();
  if (made) return <Registered {...made} example={example} />;
  return (
    <PageBody title={t('title')} lead={t('lead')} icon={<UpLink to="/developers" label={t('up')} />}>
      <Card>
        {example && <Notice>{t('exampleNotice')}</Notice>}
        <Form
          // It returns nothing: the cache keeps the results of mutations, and must not keep the secret.
          send={async (values) => {
            const registered = register(fieldsOf(draft, values)).catch((error: unknown) => {
              throw retold(error);
            });
            setMade(await registered);
          }}
          submit={t('submit')}
          actions={<ButtonLink to="/developers">{t('cancel')}</ButtonLink>}
        >
          {({ errorOf }) => (
            <ApplicationFields
              draft={draft}
              onChange={setDraft}
              errorOf={errorOf}
              {...(example && { initial: EXAMPLE })}
            />
          )}
        </Form>
      </Card>
    </PageBody>
  );
}

/** It has nothing that is shown once. */
function RegisteredPublic({ application }: { application: Application }) {
  const t = useTranslations('developers.register');
  const secretText = useTranslations('developers.secret');
  const { id, name } = application;
  return (
    <PageBody title={t('done', { name })} lead={t('donePublicLead')}>
      <Card>
        <div>
          <h2>{secretText('clientId')}</h2>
          <Copyable text={id} name={secretText('clientId')} />
        </div>
        <div>
          <ButtonLink look="primary" to="/developers/$application" params={{ application: id }}>
            {t('firstSteps')}
          </ButtonLink>
        </div>
      </Card>
    </PageBody>
  );
}

function Registered(props: { application: Application; secret: string | undefined; example: boolean }) {
  const { application, secret, example } = props;
  const t = useTranslations('developers.register');
  const navigate = useNavigate();
  if (secret === undefined) return <RegisteredPublic application={application} />;
  const command = { title: t('startExample'), text: startExample(application, secret) };
  const onStored = () =>
    void navigate({ to: '/developers/$application', params: { application: application.id } });
  return (
    <PageBody title={t('done', { name: application.name })} lead={t('doneLead')}>
      <SecretReveal id={application.id} secret={secret} onStored={onStored} {...(example && { command })} />
    </PageBody>
  );
}
