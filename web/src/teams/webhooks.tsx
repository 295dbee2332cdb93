import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { call, callOne } from '../api/client.ts';
import type { IncomingWebhook, Team } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { Switch, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { nameOf } from '../design/person.tsx';
import { PictureChoice } from '../design/picture-choice.tsx';
import { tell } from '../design/toast.tsx';
import { webhooksQuery } from './queries.ts';
import styles from './teams.module.css';

type Made = IncomingWebhook & { readonly url: string; readonly key?: string };

/** What is about to be done with a webhook. */
interface Asked {
  readonly kind: 'renew' | 'withdraw';
  readonly webhook: IncomingWebhook;
}

/** The addresses at which other programs post to a team, for its admins. */
export function Webhooks({ team }: { team: Team }) {
  const t = useTranslations('teams.webhooks');
  const query = useQuery(webhooksQuery(team.id));
  const [made, setMade] = useState<Made>();
  const [asked, setAsked] = useState<Asked>();
  /** Stays while the dialog closes. */
  const [pictured, setPictured] = useState<string>();
  const [isPicturing, setPicturing] = useState(false);
  const path = `/v1/teams/${team.id}/webhooks`;
  const show = async (webhook: Made) => {
    setMade(webhook);
    await query.refetch();
  };
  const [signed, setSigned] = useState(false);
  const make = ({ name }: Record<string, string>) =>
    callOne<Made>(path, { method: 'POST', body: { name, signed } });
  const onMade = (webhook: Made) => {
    setSigned(false);
    void show(webhook);
  };
  const renewText = asked?.webhook.signed ? 'renewTextSigned' : 'renewText';
  const act = async () => {
    if (!asked) return;
    const { id, author } = asked.webhook;
    if (asked.kind === 'renew') {
      await show(await callOne<Made>(`${path}/${id}/address`, { method: 'POST', body: {} }));
      return;
    }
    await call(`${path}/${id}`, { method: 'DELETE' });
    if (made?.id === id) setMade(undefined);
    tell(t('withdrawn', { name: nameOf(author) }));
    await query.refetch();
  };
  return (
    <section className={styles.stack}>
      <div>
        <h2>{t('title')}</h2>
        <p className={styles.soft}>{t('lead')}</p>
      </div>
      {query.data && query.data.length > 0 && (
        <List label={t('title')}>
          {query.data.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              ask={(kind) => setAsked({ kind, webhook })}
              picture={() => {
                setPictured(webhook.id);
                setPicturing(true);
              }}
            />
          ))}
        </List>
      )}
      {made && <Address made={made} />}
      <Form key={made?.url} send={make} onDone={onMade} submit={t('make')}>
        {({ errorOf }) => (
          <>
            <TextField
              label={t('name')}
              hint={t('nameHint')}
              name="name"
              required
              maxLength={100}
              autoComplete="off"
              error={errorOf('name')}
            />
            <Switch label={t('signed')} hint={t('signedHint')} checked={signed} onChange={setSigned} />
          </>
        )}
      </Form>
      <PictureDialog
        webhook={query.data?.find(({ id }) => id === pictured)}
        open={isPicturing}
        path={path}
        refresh={query.refetch}
        onClose={() => setPicturing(false)}
      />
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t(asked?.kind === 'renew' ? 'renewTitle' : 'withdrawTitle', {
          name: asked ? nameOf(asked.webhook.author) : '',
        })}
        description={t(asked?.kind === 'renew' ? renewText : 'withdrawText')}
        action={t(asked?.kind === 'renew' ? 'renew' : 'withdraw')}
        act={act}
      />
    </section>
  );
}

/** Shown this once. */
function Address({ made: { author, url, key } }: { made: Made }) {
  const t = useTranslations('teams.webhooks');
  return (
    <Notice kind="success">
      <p>{t(key === undefined ? 'made' : 'madeSigned', { name: nameOf(author) })}</p>
      <Copyable text={url} name={t('address')} />
      <p className={styles.soft}>{t('addressHint')}</p>
      {key !== undefined && <Copyable text={key} name={t('key')} />}
    </Notice>
  );
}

function PictureDialog(props: {
  webhook: IncomingWebhook | undefined;
  open: boolean;
  path: string;
  refresh: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { webhook, open, path, refresh, onClose } = props;
  const t = useTranslations('teams.webhooks.picture');
  return (
    <Dialog
      open={open && webhook !== undefined}
      onClose={onClose}
      title={t('title', { name: webhook ? nameOf(webhook.author) : '' })}
      description={t('lead')}
    >
      {webhook && (
        <PictureChoice
          key={webhook.id}
          person={webhook.author}
          path={`${path}/${webhook.id}/image`}
          texts={t}
          onChange={refresh}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

function WebhookRow(props: {
  webhook: IncomingWebhook;
  ask: (kind: Asked['kind']) => void;
  picture: () => void;
}) {
  const { webhook, ask, picture } = props;
  const t = useTranslations('teams.webhooks');
  const format = useFormatter();
  const { author, signed, used_at } = webhook;
  const name = nameOf(author);
  const date = used_at === null ? undefined : format.dateTime(used_at * 1000, { dateStyle: 'medium' });
  const used = date === undefined ? t('unused') : t('used', { date });
  return (
    <ListRow
      icon={<Avatar person={author} />}
      title={name}
      detail={[...(signed ? [t('isSigned')] : []), used].join(' · ')}
      actions={
        <>
          <Button small onClick={picture} aria-label={t('picture.title', { name })}>
            {t('picture.change')}
          </Button>
          <Button small onClick={() => ask('renew')} aria-label={t('renewFor', { name })}>
            {t('renew')}
          </Button>
          <Button small onClick={() => ask('withdraw')} aria-label={t('withdrawFor', { name })}>
            {t('withdraw')}
          </Button>
        </>
      }
    />
  );
}
