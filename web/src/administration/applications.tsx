import { useInfiniteQuery } from '@tanstack/react-query';
import { Blocks } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { hostOf } from '../api/host.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { Form } from '../design/form.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Badge } from '../design/page.tsx';
import { nameOf } from '../design/person.tsx';
import { Empty } from '../design/states.tsx';
import { tell } from '../design/toast.tsx';
import { AdminPage } from './administration.tsx';
import { Pages } from './pages.tsx';
import { PersonPicker, usePicked } from './person-picker.tsx';
import { type AnyApplication, applicationsQuery, refresh } from './queries.ts';

/** Every application, with whom it belongs to. */
export function Applications() {
  const t = useTranslations('administration.applications');
  const query = useInfiniteQuery(applicationsQuery);
  return (
    <AdminPage part="applications" lead={t('lead')}>
      <Pages query={query}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={Blocks} title={t('none')}>
              <p>{t('noneText')}</p>
            </Empty>
          ) : (
            <List label={t('list')}>
              {all.map((application) => (
                <ApplicationRow key={application.id} application={application} />
              ))}
            </List>
          )
        }
      </Pages>
    </AdminPage>
  );
}

function ApplicationRow({ application }: { application: AnyApplication }) {
  const t = useTranslations('administration.applications');
  const [giving, setGiving] = useState(false);
  const { name, base_url, owner, listed } = application;
  const belongs = t('owner', { name: nameOf(owner) });
  const where = t('installations', { count: application.num_installations });
  return (
    <ListRow
      icon={<ApplicationIcon application={application} />}
      title={name}
      detail={[...(base_url === null ? [] : [hostOf(base_url)]), belongs, where].join(' · ')}
      aside={
        <>
          {application.suspension && <Badge kind="danger">{t('suspended')}</Badge>}
          <Badge>{t(listed ? 'listed' : 'unlisted')}</Badge>
        </>
      }
      actions={
        <>
          <Button small onClick={() => setGiving(true)} aria-label={t('giveLabel', { name })}>
            {t('give')}
          </Button>
          <Standing application={application} />
          {giving && <GiveDialog application={application} onClose={() => setGiving(false)} />}
        </>
      }
    />
  );
}

/** Puts it to sleep, and wakes what an administrator has put to sleep. */
function Standing({ application }: { application: AnyApplication }) {
  const t = useTranslations('administration.applications');
  const [asking, setAsking] = useState(false);
  const { id, name, suspension } = application;
  const set = async (method: 'PUT' | 'DELETE') => {
    await call(`/v1/admin/applications/${id}/suspension`, { method });
    tell(t(method === 'PUT' ? 'suspendedDone' : 'woken', { name }));
    await refresh('/v1/admin/applications');
  };
  const isSuspended = suspension?.by_operator === true;
  return (
    <>
      <Button
        small
        onClick={() => setAsking(true)}
        aria-label={t(isSuspended ? 'wakeLabel' : 'suspendLabel', { name })}
      >
        {t(isSuspended ? 'wake' : 'suspend')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t(isSuspended ? 'wakeLabel' : 'suspendTitle', { name })}
        description={t(isSuspended ? 'wakeText' : 'suspendText')}
        action={t(isSuspended ? 'wake' : 'suspend')}
        act={() => set(isSuspended ? 'DELETE' : 'PUT')}
      />
    </>
  );
}

function GiveDialog({ application, onClose }: { application: AnyApplication; onClose: () => void }) {
  const t = useTranslations('administration.applications');
  const picked = usePicked();
  const { name } = application;
  const give = async () => {
    const person = picked.required();
    const path = `/v1/admin/applications/${application.id}/owner`;
    await call(path, { method: 'PUT', body: { user: person.id } });
    tell(t('given', { name, person: nameOf(person) }));
    onClose();
    await refresh('/v1/admin/applications');
  };
  return (
    <Dialog open onClose={onClose} title={t('giveTitle', { name })} description={t('giveText')}>
      <Form send={give} submit={t('give')}>
        {({ errorOf }) => <PersonPicker picked={picked} error={errorOf('person')} />}
      </Form>
    </Dialog>
  );
}
