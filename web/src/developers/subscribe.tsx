import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Subscription } from '../api/types.ts';
import { ButtonLink } from '../design/button.tsx';
import { Form } from '../design/form.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { useApplication } from './application.tsx';
import { KeyReveal } from './key-reveal.tsx';
import { subscribe } from './queries.ts';
import { SubscriptionFields, subscriptionBody, useSubscriptionDraft } from './subscription-fields.tsx';

/** Subscribes, then shows the key of a webhook for the only time. */
export function Subscribe() {
  const t = useTranslations('developers.subscriptions');
  const common = useTranslations('common');
  const { id: application } = useApplication();
  const [draft, setDraft] = useSubscriptionDraft();
  const [made, setMade] = useState<{ subscription: Subscription; key: string }>();
  const navigate = useNavigate();
  const show = ({ id }: Subscription) => {
    tell(t('subscribed'));
    return navigate({
      to: '/developers/$application/subscriptions/$subscription',
      params: { application, subscription: id },
    });
  };
  const send = async (values: Record<string, string>) => {
    const { subscription, key } = await subscribe(application, subscriptionBody(draft, values));
    if (key === undefined) await show(subscription);
    else setMade({ subscription, key });
  };
  if (made) return <KeyReveal value={made.key} onStored={() => void show(made.subscription)} />;
  return (
    <Card title={t('subscribe')} lead={t('subscribeLead')}>
      <Form
        send={send}
        submit={t('subscribe')}
        actions={
          <ButtonLink to="/developers/$application/subscriptions" params={{ application }}>
            {common('cancel')}
          </ButtonLink>
        }
      >
        {({ errorOf }) => <SubscriptionFields draft={draft} onChange={setDraft} errorOf={errorOf} />}
      </Form>
    </Card>
  );
}
