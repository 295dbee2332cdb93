import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { callOne } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import type { Message, Sidebar } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { type Chosen, PeopleField } from '../../design/people-field.tsx';
import { changeMessage, withSidebars } from '../state/messages.ts';
import { useMessageView } from '../state/view-context.tsx';

/** Begins a private conversation beside a message. */
export function NewSidebarDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.sidebar');
  const view = useMessageView();
  const [people, setPeople] = useState<readonly Chosen[]>([]);
  const last = useRef({ sent: '', key: '' });
  const root = message.reply_to ?? message.id;
  const send = ({ text }: Record<string, string>) => {
    const body = { users: people.map(({ id }) => id), text };
    // A retry with the same text creates one sidebar; another text is another sidebar.
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: newKey() };
    const idempotencyKey = last.current.key;
    return callOne<Sidebar>(`/v1/messages/${root}/sidebars`, { method: 'POST', body, idempotencyKey });
  };
  const onDone = (sidebar: Sidebar) => {
    const add = withSidebars((sidebars) => [...sidebars.filter(({ id }) => id !== sidebar.id), sidebar]);
    changeMessage(root, add);
    onClose();
    view.open(message, true, sidebar.id);
  };
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')}>
      <Form send={send} onDone={onDone} submit={t('begin')}>
        {({ errorOf }) => (
          <>
            <PeopleField label={t('with')} chosen={people} onChange={setPeople} error={errorOf('users')} />
            <TextArea label={t('text')} name="text" required error={errorOf('text')} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
