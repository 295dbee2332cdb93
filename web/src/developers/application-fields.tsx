import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { EXAMPLE, EXAMPLE_URL } from '../api/example.ts';
import { isLoopback } from '../api/host.ts';
import { serverQuery } from '../api/queries.ts';
import type { Application } from '../api/types.ts';
import { Button, IconButton } from '../design/button.tsx';
import { Switch, TextArea, TextField } from '../design/field.tsx';
import { useScopeText } from '../text/scopes.ts';
import {
  type Addresses,
  addressesOf,
  addressFields,
  moveBase,
  NO_ADDRESSES,
  proposeAddresses,
} from './addresses.ts';
import styles from './developers.module.css';
import { type CommandDraft, CommandFields, type ShortcutDraft, ShortcutFields } from './named-fields.tsx';

const MAX_REDIRECTS = 20;
const MAX_LINK_PREFIXES = 10;

/** The values of the fields that are not plain text. */
export interface ApplicationDraft {
  readonly addresses: Addresses;
  readonly scopes: readonly string[];
  readonly commands: readonly CommandDraft[];
  readonly shortcuts: readonly ShortcutDraft[];
  readonly hasHome: boolean;
  readonly listed: boolean;
  readonly requiresPkce: boolean;
  /** How it proves who it is (RFC 7591). */
  readonly method: string;
}

/** Of an application without a secret. */
export const PUBLIC = 'none';
const SECRET = 'client_secret_basic';

export function useApplicationDraft(application?: Application, example = false) {
  return useState<ApplicationDraft>(() => ({
    addresses: application
      ? addressesOf(application)
      : example
        ? proposeAddresses(EXAMPLE_URL)
        : NO_ADDRESSES,
    scopes: application?.scopes ?? (example ? EXAMPLE.scopes : []),
    commands:
      application?.commands.map((one) => ({ ...one, hint: one.hint ?? '' })) ??
      (example ? EXAMPLE.commands : []),
    shortcuts: application?.shortcuts ?? [],
    hasHome: application?.has_home ?? (example && EXAMPLE.hasHome),
    listed: application?.listed ?? false,
    requiresPkce: application?.require_pkce ?? true,
    method: application?.token_endpoint_auth_method ?? SECRET,
  }));
}

/** The body of a request. @param values the texts, by the names of their controls */
export function fieldsOf(draft: ApplicationDraft, values: Record<string, string>): object {
  const { name, description, icon, link_prefixes = '' } = values;
  const { scopes, commands, shortcuts, hasHome, listed, requiresPkce, addresses, method } = draft;
  const isPublic = method === PUBLIC;
  return {
    name,
    description,
    icon,
    ...addressFields(addresses, !isPublic),
    scopes,
    link_prefixes: isPublic ? [] : link_prefixes.split(/\s+/).filter((prefix) => prefix !== ''),
    commands: isPublic ? [] : commands,
    shortcuts: isPublic ? [] : shortcuts,
    has_home: !isPublic && hasHome,
    listed,
    require_pkce: isPublic || requiresPkce,
    token_endpoint_auth_method: method,
  };
}

interface Props {
  readonly draft: ApplicationDraft;
  readonly onChange: (draft: ApplicationDraft) => void;
  readonly initial?: {
    readonly name: string;
    readonly description: string;
    readonly icon: string;
    readonly link_prefixes?: readonly string[];
  };
  readonly errorOf: (field: string) => string | undefined;
}

/** The fields of an application, for registering and editing it. */
export function ApplicationFields({ draft, onChange, initial, errorOf }: Props) {
  const t = useTranslations('developers.fields');
  const { data: { scopes } = { scopes: [] } } = useQuery(serverQuery);
  const isPublic = draft.method === PUBLIC;
  return (
    <>
      <TextField
        label={t('name')}
        name="name"
        required
        maxLength={100}
        defaultValue={initial?.name}
        hint={t('nameHint')}
        error={errorOf('name')}
      />
      <TextArea
        label={t('description')}
        name="description"
        rows={2}
        maxLength={2000}
        defaultValue={initial?.description}
        hint={t('descriptionHint')}
        error={errorOf('description')}
      />
      <TextField
        label={t('icon')}
        name="icon"
        maxLength={2000}
        defaultValue={initial?.icon}
        hint={t('iconHint')}
        error={errorOf('icon')}
      />
      <fieldset className={styles.group}>
        <legend>{t('addresses')}</legend>
        <Switch
          label={t('public')}
          hint={t('publicHint')}
          checked={isPublic}
          onChange={(checked) => onChange({ ...draft, method: checked ? PUBLIC : SECRET })}
        />
        <AddressFields draft={draft} onChange={onChange} errorOf={errorOf} />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t('scopes')}</legend>
        <p className={styles.soft}>{t('scopesHint')}</p>
        {scopes.map((scope) => (
          <ScopeSwitch key={scope} scope={scope} draft={draft} onChange={onChange} />
        ))}
      </fieldset>
      {!isPublic && (
        <TextArea
          label={t('links')}
          name="link_prefixes"
          rows={2}
          dir="ltr"
          spellCheck={false}
          defaultValue={initial?.link_prefixes?.join('\n')}
          hint={t('linksHint')}
          error={errorOfLinks(errorOf)}
        />
      )}
      {!isPublic && (
        <>
          <CommandFields
            commands={draft.commands}
            onChange={(commands) => onChange({ ...draft, commands })}
            errorOf={errorOf}
          />
          <ShortcutFields
            shortcuts={draft.shortcuts}
            onChange={(shortcuts) => onChange({ ...draft, shortcuts })}
            errorOf={errorOf}
          />
          <fieldset className={styles.group}>
            <legend>{t('home')}</legend>
            <Switch
              label={t('hasHome')}
              hint={t('hasHomeHint')}
              checked={draft.hasHome}
              onChange={(hasHome) => onChange({ ...draft, hasHome })}
            />
          </fieldset>
        </>
      )}
      <fieldset className={styles.group}>
        <legend>{t('directory')}</legend>
        <Switch
          label={t('listed')}
          hint={t('listedHint')}
          checked={draft.listed}
          onChange={(listed) => onChange({ ...draft, listed })}
        />
      </fieldset>
    </>
  );
}

/** The server names the line that it refuses. */
const errorOfLinks = (errorOf: Props['errorOf']) =>
  Array.from({ length: MAX_LINK_PREFIXES }, (_, line) => errorOf(`link_prefixes.${line}`)).find(
    (error) => error !== undefined,
  ) ?? errorOf('link_prefixes');

function ScopeSwitch({ scope, draft, onChange }: Pick<Props, 'draft' | 'onChange'> & { scope: string }) {
  const textOf = useScopeText();
  const others = draft.scopes.filter((one) => one !== scope);
  return (
    <Switch
      label={scope}
      hint={textOf(scope)}
      checked={draft.scopes.includes(scope)}
      onChange={(checked) => onChange({ ...draft, scopes: checked ? [...others, scope] : others })}
    />
  );
}

function AddressFields({ draft, onChange, errorOf }: Omit<Props, 'initial'>) {
  const t = useTranslations('developers.fields');
  const { addresses } = draft;
  const isPublic = draft.method === PUBLIC;
  const set = (next: Addresses) => onChange({ ...draft, addresses: next });
  const field = (name: 'preinstall_url' | 'uninstall_url' | 'team_update_url' | 'initiate_login_uri') => ({
    name,
    type: 'url',
    value: addresses[name],
    onChange: ({ target }: { target: HTMLInputElement }) => set({ ...addresses, [name]: target.value }),
    error: errorOf(name),
  });
  return (
    <>
      <TextField
        label={t('base')}
        name="base_url"
        type="url"
        placeholder={t(isLoopback(location.hostname) ? 'placeholderLocal' : 'placeholder')}
        value={addresses.base_url}
        onChange={({ target }) => set(moveBase(addresses, target.value))}
        hint={t(isPublic ? 'basePublicHint' : isLoopback(location.hostname) ? 'baseHintLocal' : 'baseHint')}
        error={errorOf('base_url')}
      />
      {!isPublic && (
        <TextField label={t('preinstall')} hint={t('preinstallHint')} {...field('preinstall_url')} />
      )}
      <RedirectFields
        hint={t(isPublic ? 'redirectPublicHint' : 'redirectHint')}
        uris={addresses.redirect_uris}
        required={isPublic}
        onChange={(redirect_uris) => set({ ...addresses, redirect_uris })}
        errorOf={errorOf}
      />
      {!isPublic && (
        <>
          <TextField label={t('uninstall')} hint={t('uninstallHint')} {...field('uninstall_url')} />
          <TextField label={t('teamUpdate')} hint={t('teamUpdateHint')} {...field('team_update_url')} />
        </>
      )}
      <TextField label={t('login')} hint={t('loginHint')} {...field('initiate_login_uri')} />
      {!isPublic && (
        <Switch
          label={t('pkce')}
          hint={t('pkceHint')}
          checked={draft.requiresPkce}
          onChange={(requiresPkce) => onChange({ ...draft, requiresPkce })}
        />
      )}
    </>
  );
}

function RedirectFields(props: {
  hint: string;
  uris: readonly string[];
  required: boolean;
  onChange: (uris: string[]) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const { hint, uris, required, onChange, errorOf } = props;
  const t = useTranslations('developers.fields');
  const place = useRef<HTMLDivElement>(null);
  const change = (next: string[]) => {
    // The element to focus exists only after the change is rendered.
    flushSync(() => onChange(next));
    const inputs = place.current?.querySelectorAll('input');
    inputs?.item(inputs.length - 1).focus();
  };
  return (
    <div className={styles.group} ref={place}>
      {uris.map((uri, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what names one, as in the server's errors
        <div key={index} className={styles.redirect}>
          <TextField
            label={index === 0 ? t('redirect') : t('redirectMore', { number: index + 1 })}
            name={`redirect_uris.${index}`}
            type="url"
            required={required || index > 0}
            value={uri}
            onChange={({ target }) => onChange(uris.with(index, target.value))}
            {...(index === 0 && { hint })}
            error={errorOf(`redirect_uris.${index}`)}
          />
          {index > 0 && (
            <IconButton
              label={t('removeRedirect', { number: index + 1 })}
              onClick={() => change(uris.toSpliced(index, 1))}
            >
              <X size={18} aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      <div>
        <Button small disabled={uris.length >= MAX_REDIRECTS} onClick={() => change([...uris, ''])}>
          <Plus size={16} aria-hidden />
          {t('addRedirect')}
        </Button>
      </div>
    </div>
  );
}
