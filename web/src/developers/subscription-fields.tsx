import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { heardKinds } from '../../../src/integration/subscriptions/kinds.ts';
import type { Subscription } from '../api/types.ts';
import { Select, Switch, TextField } from '../design/field.tsx';
import { useTeamNames } from './deliveries.tsx';
import styles from './developers.module.css';
import { useKindNames } from './subscription-state.tsx';

const MOST_IN_BATCH = 100;

/** The values that are not in controls with a name. */
export interface SubscriptionDraft {
  readonly kinds: readonly string[];
  /** Null for all. */
  readonly teams: readonly string[] | null;
  readonly mentionsOnly: boolean;
  readonly ownMessages: boolean;
  readonly byWebhook: boolean;
}

export const useSubscriptionDraft = (before?: Subscription) =>
  useState<SubscriptionDraft>(() => ({
    kinds: before?.kinds ?? ['message.posted', 'reply.posted', 'mention'],
    teams: before?.teams ?? null,
    mentionsOnly: before?.mentions_only ?? false,
    ownMessages: before?.own_messages ?? false,
    byWebhook: before ? before.webhook !== null : true,
  }));

/**
 * The body of a request. @param values the texts, by the names of their controls
 * @param before of the application's own subscription, only the webhook can be changed
 */
export function subscriptionBody(
  draft: SubscriptionDraft,
  values: Record<string, string>,
  before?: Subscription,
): object {
  const { kinds, teams, mentionsOnly, ownMessages, byWebhook } = draft;
  const filters = {
    kinds,
    teams,
    mentions_only: mentionsOnly,
    own_messages: ownMessages,
    object_type: values.object_type?.trim() || null,
  };
  return {
    ...(!before?.own && filters),
    webhook: byWebhook
      ? { url: values['webhook.url'] ?? '', batch: Number(values['webhook.batch']) || 1 }
      : null,
  };
}

interface Props {
  readonly draft: SubscriptionDraft;
  readonly onChange: (draft: SubscriptionDraft) => void;
  readonly before?: Subscription;
  readonly errorOf: (field: string) => string | undefined;
}

const toggled = (all: readonly string[], one: string, isIn: boolean) => [
  ...all.filter((other) => other !== one),
  ...(isIn ? [one] : []),
];

export function SubscriptionFields(props: Props) {
  return (
    <>
      {!props.before?.own && <Filters {...props} />}
      <Way {...props} />
    </>
  );
}

function Filters({ draft, onChange, before, errorOf }: Props) {
  const t = useTranslations('developers.subscriptions');
  const { nameOf } = useKindNames();
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{t('what')}</legend>
        <div className={styles.choices}>
          {heardKinds.map((kind) => (
            <Switch
              key={kind}
              label={nameOf(kind)}
              hint={<code>{kind}</code>}
              checked={draft.kinds.includes(kind)}
              onChange={(isIn) => onChange({ ...draft, kinds: toggled(draft.kinds, kind, isIn) })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t('filters')}</legend>
        <Teams draft={draft} onChange={onChange} />
        <Switch
          label={t('mentionsOnly')}
          hint={t('mentionsOnlyHint')}
          checked={draft.mentionsOnly}
          onChange={(mentionsOnly) => onChange({ ...draft, mentionsOnly })}
        />
        <Switch
          label={t('ownMessages')}
          hint={t('ownMessagesHint')}
          checked={draft.ownMessages}
          onChange={(ownMessages) => onChange({ ...draft, ownMessages })}
        />
        <TextField
          label={t('objectType')}
          name="object_type"
          maxLength={100}
          defaultValue={before?.object_type ?? ''}
          hint={t('objectTypeHint')}
          error={errorOf('object_type')}
        />
      </fieldset>
    </>
  );
}

function Way({ draft, onChange, before, errorOf }: Props) {
  const t = useTranslations('developers.subscriptions');
  return (
    <fieldset className={styles.group}>
      <legend>{t('way')}</legend>
      <Select
        label={t('wayLabel')}
        value={draft.byWebhook ? 'webhook' : 'own'}
        onChange={({ target }) => onChange({ ...draft, byWebhook: target.value === 'webhook' })}
        hint={t(draft.byWebhook ? 'webhookHint' : 'ownHint')}
      >
        <option value="webhook">{t('webhook')}</option>
        <option value="own">{t('own')}</option>
      </Select>
      {draft.byWebhook && (
        <>
          <TextField
            label={t('url')}
            name="webhook.url"
            type="url"
            required
            maxLength={2000}
            defaultValue={before?.webhook?.url}
            error={errorOf('webhook.url')}
          />
          <TextField
            label={t('batch')}
            name="webhook.batch"
            type="number"
            min={1}
            max={MOST_IN_BATCH}
            required
            defaultValue={before?.webhook?.batch ?? 1}
            hint={t('batchHint')}
            error={errorOf('webhook.batch')}
          />
        </>
      )}
    </fieldset>
  );
}

function Teams({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const t = useTranslations('developers.subscriptions');
  const { teams: known, nameOf } = useTeamNames();
  const { teams } = draft;
  const all = [...new Set([...known.map(([id]) => id), ...(teams ?? [])])];
  return (
    <>
      <Select
        label={t('teams')}
        value={teams === null ? 'all' : 'some'}
        onChange={({ target }) => onChange({ ...draft, teams: target.value === 'all' ? null : [] })}
      >
        <option value="all">{t('teamsAll')}</option>
        <option value="some">{t('teamsSome')}</option>
      </Select>
      {teams !== null && (
        <div className={styles.choices}>
          {all.map((team) => (
            <Switch
              key={team}
              label={nameOf(team)}
              checked={teams.includes(team)}
              onChange={(isIn) => onChange({ ...draft, teams: toggled(teams, team, isIn) })}
            />
          ))}
        </div>
      )}
    </>
  );
}
