import { useEffect, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { tell } from '../../design/toast.tsx';
import { remind } from '../state/scheduled.ts';
import { useKeyOf } from './schedule-dialog.tsx';
import { TimeChoice, useTimeText, wallTime } from './time-choice.tsx';
import { readTime, remindedOf } from './typed-time.ts';

/**
 * Asks for a reminder.
 * @param props.message the id of the message that it is about
 * @param props.typed what was written behind `/remind`: a time and what it is about
 */
export function RemindDialog(props: {
  message?: string;
  typed?: string;
  onClose: () => void;
  onDone?: () => void;
}) {
  const { message, typed = '', onClose, onDone } = props;
  const t = useTranslations('members.later');
  const language = useLocale();
  const timeText = useTimeText();
  const [local, setLocal] = useState('');
  const [text, setText] = useState(remindedOf(typed));
  const keyOf = useKeyOf();
  useEffect(() => {
    if (typed === '') return;
    readTime(typed, language).then(
      (found) => {
        if (!found) return;
        setLocal(found.local);
        setText(remindedOf(found.rest));
      },
      // The time can be chosen.
      () => undefined,
    );
  }, [typed, language]);
  const send = () => {
    const about = {
      at: wallTime(local),
      ...(message !== undefined && { message }),
      ...(text.trim() !== '' && { text: text.trim() }),
    };
    return remind(about, keyOf(about));
  };
  return (
    <Dialog open onClose={onClose} title={t('remindTitle')} description={t('remindLead')}>
      <Form
        send={send}
        onDone={() => {
          tell(t('reminded', { time: timeText(local) }));
          onDone?.();
          onClose();
        }}
        submit={t('remind')}
      >
        {({ errorOf }) => (
          <>
            <TextArea
              label={t('about')}
              name="text"
              rows={2}
              required={message === undefined}
              value={text}
              onChange={({ target }) => setText(target.value)}
              error={errorOf('text')}
            />
            <TimeChoice local={local} choose={setLocal} error={errorOf('at.local') ?? errorOf('at.zone')} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
