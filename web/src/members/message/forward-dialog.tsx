import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { type Chosen, PeopleField } from '../../design/people-field.tsx';
import { tell } from '../../design/toast.tsx';
import { post } from '../state/outbox.ts';
import { addressOf } from '../state/references.ts';
import { targetOf } from '../state/target.ts';
import { useMessageView } from '../state/view-context.tsx';
import { Names } from './person-names.tsx';
import { QuoteCard } from './quote-card.tsx';

/**
 * Sends a reference to a message to a team or to people. What was said between some people is sent only after a warning:
 * those who may not read it learn that it exists.
 */
export function ForwardDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTranslations('members.forward');
  const view = useMessageView();
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const [missing, setMissing] = useState(false);
  const [asked, setAsked] = useState(false);
  const others = new Set([message.author.id, ...message.addressed_users]);
  others.delete(view.me.id);
  // A note to oneself is nobody else's.
  const isPrivate = message.addressed_teams.length === 0 && others.size > 0;
  const change = (next: readonly Chosen[]) => {
    setMissing(false);
    setAsked(false);
    // As where a message is written: one team, or people.
    const last = next.at(-1);
    setChosen(last?.kind === 'team' ? [last] : next.filter(({ kind }) => kind !== 'team'));
  };
  const send = async ({ text = '' }: Record<string, string>): Promise<boolean> => {
    const target = targetOf(chosen, view.me.id);
    setMissing(!target);
    if (!target) return false;
    if (isPrivate && !asked) {
      setAsked(true);
      return false;
    }
    post(target, [text.trim(), addressOf(message)].filter(Boolean).join('\n'), []);
    return true;
  };
  const onDone = (isSent: boolean) => {
    if (!isSent) return;
    tell(t('done'));
    onClose();
  };
  const names = chosen.map(({ name }) => name).join(', ');
  return (
    <Dialog open onClose={onClose} title={t('title')} description={t('lead')}>
      <Form
        send={send}
        onDone={onDone}
        submit={t(asked ? 'anyway' : 'forward')}
        {...(asked && { actions: <Button onClick={onClose}>{t('not')}</Button> })}
      >
        {() => (
          <>
            <PeopleField
              label={t('to')}
              chosen={chosen}
              onChange={change}
              teams
              error={missing ? t('nobody') : undefined}
            />
            <TextArea label={t('text')} name="text" rows={2} />
            <QuoteCard message={message.id} />
            {asked && (
              <Notice kind="warning">
                {t.rich('private', { names, people: () => <Names ids={[...others]} /> })}
              </Notice>
            )}
          </>
        )}
      </Form>
    </Dialog>
  );
}
