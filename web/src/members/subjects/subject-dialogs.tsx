import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Subject } from '../../api/types.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { changeSubject, moveConversation, subjectsQuery } from '../state/subjects.ts';

const MOST_CHARACTERS = 120;

/** The name of a subject: a new one, or one that the team has. */
function SubjectField(props: {
  team: string;
  value?: string;
  required?: boolean;
  error: string | undefined;
}) {
  const { team, value = '', required = false, error } = props;
  const t = useTranslations('members.subjects');
  const known = useId();
  const { data: subjects = [] } = useQuery(subjectsQuery(team));
  return (
    <>
      <TextField
        label={t('name')}
        name="subject"
        defaultValue={value}
        maxLength={MOST_CHARACTERS}
        required={required}
        autoFocus
        autoComplete="off"
        list={known}
        error={error}
      />
      <datalist id={known}>
        {subjects.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** Asks what the next message is about. */
export function NewSubjectDialog(props: {
  team: string;
  onClose: () => void;
  onNamed: (name: string) => void;
}) {
  const { team, onClose, onNamed } = props;
  const t = useTranslations('members.subjects');
  return (
    <Dialog open onClose={onClose} title={t('newTitle')} description={t('newText')}>
      <Form
        send={async ({ subject = '' }) => subject.trim()}
        onDone={(name) => {
          onClose();
          if (name !== '') onNamed(name);
        }}
        submit={t('goOn')}
      >
        {({ errorOf }) => <SubjectField team={team} required error={errorOf('subject')} />}
      </Form>
    </Dialog>
  );
}

export function RenameSubjectDialog(props: { team: string; subject: Subject; onClose: () => void }) {
  const { team, subject, onClose } = props;
  const t = useTranslations('members.subjects');
  const ofAll = useTranslations('common');
  return (
    <Dialog open onClose={onClose} title={t('renameTitle')} description={t('renameText')}>
      <Form
        send={({ name = '' }) => changeSubject(team, subject.id, { name })}
        onDone={onClose}
        submit={ofAll('save')}
      >
        {({ errorOf }) => (
          <TextField
            label={t('name')}
            name="name"
            defaultValue={subject.name}
            maxLength={MOST_CHARACTERS}
            required
            autoFocus
            autoComplete="off"
            error={errorOf('name')}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** Moves a conversation of a team. */
export function MoveDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.subjects');
  const [team = ''] = message.addressed_teams;
  return (
    <Dialog open onClose={onClose} title={t('moveTitle')} description={t('moveText')}>
      <Form
        send={({ subject = '' }) => moveConversation(message, subject)}
        onDone={onClose}
        submit={t('moveAction')}
      >
        {({ errorOf }) => (
          <SubjectField team={team} value={message.subject ?? ''} error={errorOf('subject')} />
        )}
      </Form>
    </Dialog>
  );
}
