import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { AddressField, Select } from '../design/field.tsx';
import styles from './administration.module.css';

export interface AuditSearch {
  readonly action?: string;
  readonly actor?: string;
  readonly team?: string;
  readonly target?: string;
  /** Days, as 2026-11-21, in the reader's zone; the last one is among them. */
  readonly since?: string;
  readonly until?: string;
}

/** The same as the server takes it. */
export function filterOf({ since, until, ...rest }: AuditSearch) {
  return { ...rest, since: secondsOf(since), until: secondsOf(until, 1) };
}

/** When a day begins. Some are longer than others; and a year that is being typed begins as the year 2. */
function secondsOf(day: string | undefined, plusDays = 0): number | undefined {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + plusDays);
  const at = date.getTime();
  return Number.isNaN(at) ? undefined : Math.max(at / 1000, 0);
}

/** The actions in the audit log, by kind. */
const ACTIONS = {
  sign_in: ['succeeded', 'refused'],
  account: ['created', 'deactivated', 'reactivated', 'signed_out', 'deleted', 'exported'],
  password: ['changed'],
  superuser: ['granted', 'removed'],
  team: ['created', 'changed', 'deleted', 'restored', 'erased'],
  member: ['added', 'role_changed', 'removed'],
  invitation: ['made', 'accepted', 'withdrawn'],
  join_link: ['made', 'used', 'withdrawn'],
  application: [
    'registered',
    'changed',
    'secret_rotated',
    'owner_changed',
    'suspended',
    'taken_over',
    'woken',
    'deleted',
    'installed',
    'scopes_granted',
    'command_given',
    'uninstalled',
  ],
  grant: ['agreed', 'ended'],
  audit: ['exported'],
  backup: ['downloaded', 'failed', 'made'],
  operator: ['command'],
} as const;

const FURTHER = ['since', 'until', 'actor', 'target', 'team'] as const;

type Group = keyof typeof ACTIONS;
const GROUPS = Object.entries(ACTIONS) as [Group, readonly string[]][];

export function AuditFilter({ search }: { search: AuditSearch }) {
  const t = useTranslations('administration.audit');
  const navigate = useNavigate({ from: '/admin/audit' });
  const change = (part: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const field = (name: Exclude<keyof AuditSearch, 'action'>, type: 'date' | 'search') => (
    <AddressField
      label={t(name)}
      type={type}
      required
      value={search[name] ?? ''}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
  return (
    <search className={styles.stack}>
      <div className={styles.filters}>
        <ActionSelect value={search.action ?? ''} onChange={(action) => change({ action })} />
      </div>
      <details open={FURTHER.some((name) => search[name] !== undefined)}>
        <summary className={styles.further}>{t('further')}</summary>
        <div className={styles.filters}>
          {field('since', 'date')}
          {field('until', 'date')}
          {field('actor', 'search')}
          {field('target', 'search')}
          {field('team', 'search')}
        </div>
      </details>
      {Object.keys(search).length > 0 && (
        <p>
          <Link to="/admin/audit">{t('clear')}</Link>
        </p>
      )}
    </search>
  );
}

function ActionSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslations('administration.audit');
  return (
    <Select label={t('action')} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t('anyAction')}</option>
      {GROUPS.map(([group, actions]) => (
        <optgroup key={group} label={t(`groups.${group}`)}>
          {actions.length > 1 && (
            <option value={`${group}.`}>{t('allOf', { group: t(`groups.${group}`) })}</option>
          )}
          {actions.map((action) => (
            <option key={action} value={`${group}.${action}`}>
              {t(`actions.${group}.${action}` as 'actions.team.created')}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}
