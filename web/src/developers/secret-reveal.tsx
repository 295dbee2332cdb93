import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Confirm } from '../design/dialog.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import styles from './developers.module.css';

interface Props {
  readonly id: string;
  readonly secret: string;
  readonly webhookKeys?: readonly { readonly subscription: string; readonly key: string }[] | undefined;
  /** Commands that need the secret, beside the lines of settings. */
  readonly command?: { readonly title: string; readonly text: string };
  readonly onStored: () => void;
}

/** Shows the credentials of an application. */
export function SecretReveal({ id, secret, webhookKeys = [], command, onStored }: Props) {
  const t = useTranslations('developers.secret');
  const settings = `PARLEY_URL=${location.origin}\nPARLEY_CLIENT_ID=${id}\nPARLEY_CLIENT_SECRET=${secret}`;
  return (
    <Reveal title={t('revealTitle')} onStored={onStored}>
      <div>
        <h3>{t('clientId')}</h3>
        <Copyable text={id} name={t('clientId')} />
      </div>
      <div>
        <h3>{t('clientSecret')}</h3>
        <Copyable text={secret} name={t('clientSecret')} />
      </div>
      <div>
        <h3>{t('settings')}</h3>
        <Copyable text={settings} name={t('settings')} />
      </div>
      {webhookKeys.map(({ subscription, key }) => (
        <div key={subscription}>
          <h3>{t('webhookKey', { address: subscription })}</h3>
          <Copyable text={key} name={t('webhookKey', { address: subscription })} />
        </div>
      ))}
      {command && (
        <div>
          <h3>{command.title}</h3>
          <Copyable text={command.text} name={command.title} />
        </div>
      )}
    </Reveal>
  );
}

/** Shows a secret for the only time, and asks before it is left without being stored. */
export function Reveal(props: { title: string; onStored: () => void; children: ReactNode }) {
  const { title, onStored, children } = props;
  const t = useTranslations('developers.secret');
  const heading = useRef<HTMLDivElement>(null);
  const stored = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !stored.current,
    enableBeforeUnload: () => !stored.current,
    withResolver: true,
  });
  // The pressed button is gone, so the focus moves to the result.
  useEffect(() => heading.current?.focus(), []);
  const store = () => {
    stored.current = true;
    onStored();
  };
  return (
    <div ref={heading} tabIndex={-1} className={styles.reveal}>
      <Card title={title}>
        <Notice kind="warning">{t('revealText')}</Notice>
        {children}
        <div>
          <Button look="primary" onClick={store}>
            {t('stored')}
          </Button>
        </div>
      </Card>
      <Confirm
        open={blocker.status === 'blocked'}
        onClose={() => blocker.reset?.()}
        title={t('leaveTitle')}
        description={t('leaveText')}
        action={t('leave')}
        act={async () => blocker.proceed?.()}
      />
    </div>
  );
}
