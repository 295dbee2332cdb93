import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Subscription } from '../api/types.ts';
import { Select, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { replay } from './queries.ts';

/** Has a webhook sent what it was sent before. */
export function Replay({ subscription }: { subscription: Subscription }) {
  const t = useTranslations('developers.subscriptions');
  const [by, setBy] = useState<'time' | 'event'>('time');
  const send = ({ since = '', until = '' }: Record<string, string>) => {
    const given = by === 'time' ? { since: seconds(since), until: seconds(until) } : { since, until };
    return replay(subscription, { since: given.since, ...(until !== '' && { until: given.until }) });
  };
  return (
    <Card title={t('replay')} lead={t('replayLead')}>
      <Form send={send} onDone={() => tell(t('replayed'))} submit={t('replaySubmit')}>
        {({ errorOf }) => (
          <>
            <Select
              label={t('replayBy')}
              value={by}
              onChange={({ target }) => setBy(target.value === 'time' ? 'time' : 'event')}
            >
              <option value="time">{t('byTime')}</option>
              <option value="event">{t('byEvent')}</option>
            </Select>
            <TextField
              key={`since-${by}`}
              label={t(by === 'time' ? 'since' : 'after')}
              name="since"
              required
              type={by === 'time' ? 'datetime-local' : 'text'}
              error={errorOf('since')}
            />
            <TextField
              key={`until-${by}`}
              label={t(by === 'time' ? 'until' : 'upTo')}
              name="until"
              type={by === 'time' ? 'datetime-local' : 'text'}
              hint={t('untilHint')}
              error={errorOf('until')}
            />
          </>
        )}
      </Form>
    </Card>
  );
}

/** @param local a time in the reader's zone, as the control gives it */
const seconds = (local: string) => String(new Date(local).getTime() / 1000);
