import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { refusal } from '../api/client.ts';
import type { Application } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { changesOf } from '../design/changes.ts';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { useApplication } from './application.tsx';
import { ApplicationFields, fieldsOf, useApplicationDraft } from './application-fields.tsx';
import { useNamedErrors } from './named-errors.ts';
import { change, forget, remove } from './queries.ts';

export function ApplicationSettings() {
  const t = useTranslations('developers.settings');
  const common = useTranslations('common');
  const application = useApplication();
  const [draft, setDraft] = useApplicationDraft(application);
  const retold = useNamedErrors();
  const [before, setBefore] = useState<object>(application);
  const send = async (values: Record<string, string>) => {
    const changes = changesOf(before, fieldsOf(draft, values));
    await change(application.id, changes).catch((error: unknown) => {
      throw retold(error);
    });
    setBefore({ ...before, ...changes });
  };
  return (
    <>
      <Card title={t('title')}>
        <Form send={send} onDone={() => tell(common('saved'))} submit={common('save')}>
          {({ errorOf }) => (
            <ApplicationFields
              draft={draft}
              onChange={setDraft}
              initial={{ ...application, icon: application.icon_source }}
              errorOf={errorOf}
            />
          )}
        </Form>
      </Card>
      <Card title={t('delete')} lead={t('deleteLead')}>
        <Delete application={application} />
      </Card>
    </>
  );
}

function Delete({ application }: { application: Application }) {
  const t = useTranslations('developers.settings');
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const send = async ({ typed }: Record<string, string>) => {
    if (typed?.trim() !== application.name.trim()) {
      throw refusal(400, { code: 4002, reason: 'typed', message: t('typedWrong') });
    }
    await remove(application.id);
  };
  const onDone = () => {
    tell(t('deleted', { name: application.name }));
    // Not earlier: the page would request it again.
    void navigate({ to: '/developers' }).then(() => forget(application.id));
  };
  return (
    <div>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t('delete')}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('deleteTitle', { name: application.name })}
        description={t('deleteText')}
      >
        <Form send={send} onDone={onDone} submit={t('deleteSubmit')} look="danger">
          {({ errorOf }) => (
            <TextField
              label={t('typeName', { name: application.name })}
              name="typed"
              required
              autoComplete="off"
              error={errorOf('typed')}
            />
          )}
        </Form>
      </Dialog>
    </div>
  );
}
