import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { personQuery } from '../api/queries.ts';
import type { AuditEntry } from '../api/types.ts';
import { ButtonAnchor } from '../design/button.tsx';
import { Table } from '../design/page.tsx';
import { Empty } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { nameOf } from '../teams/person-name.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { AuditFilter, type AuditSearch, filterOf } from './audit-filter.tsx';
import { Pages } from './pages.tsx';
import { auditQuery } from './queries.ts';

const route = { from: '/signed-in/admin/audit' } as const;

/** Who did what, the newest first. */
export function Audit() {
  const t = useTranslations('administration.audit');
  const search: AuditSearch = useSearch(route);
  const filter = filterOf(search);
  const query = useInfiniteQuery(auditQuery(filter));
  const columns = ['at', 'action', 'actor', 'target', 'team', 'address'] as const;
  return (
    <AdminPage part="audit" lead={t('lead')}>
      <AuditFilter search={search} />
      <div className={styles.actions}>
        <ButtonAnchor href={exportAddress(filter)} download>
          <Download size={16} aria-hidden />
          {t('export')}
        </ButtonAnchor>
        <span className={styles.soft}>{t('exportHint')}</span>
      </div>
      <Pages query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty icon={ScrollText} title={t('none')}>
              <p>{t('noneText')}</p>
            </Empty>
          ) : (
            <Table label={t('list')} head={columns.map((name) => t(`columns.${name}`))}>
              {entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} />
              ))}
            </Table>
          )
        }
      </Pages>
    </AdminPage>
  );
}

function exportAddress(filter: ReturnType<typeof filterOf>): string {
  const given = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/v1/admin/audit/export?${new URLSearchParams(given)}`;
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('administration.audit');
  const key = `actions.${entry.action}` as 'actions.team.created';
  const detail = Object.entries(entry.detail).map(([name, value]) => `${name}: ${String(value)}`);
  return (
    <tr>
      <td className={styles.id}>
        <Time at={entry.at} style="full" />
      </td>
      <td>
        {t.has(key) ? t(key) : entry.action}
        {detail.length > 0 && <p className={styles.soft}>{detail.join(', ')}</p>}
      </td>
      <td>{entry.actor === null ? <ActorKind kind={entry.actor_kind} /> : <Actor id={entry.actor} />}</td>
      <td>
        <Target entry={entry} />
      </td>
      <td>{entry.team !== null && <FilterLink name="team" id={entry.team} />}</td>
      <td>{entry.address}</td>
    </tr>
  );
}

function ActorKind({ kind }: { kind: string }) {
  const t = useTranslations('administration.audit.actorKinds');
  return t.has(kind as 'user') ? t(kind as 'user') : kind;
}

function Actor({ id }: { id: string }) {
  return <FilterLink name="actor" id={id} isPerson />;
}

function Target({ entry: { target, target_kind } }: { entry: AuditEntry }) {
  const t = useTranslations('administration.audit.targetKinds');
  if (target === null) return null;
  const kind = target_kind as 'user';
  return (
    <>
      {target_kind !== null && target_kind !== 'user' && t.has(kind) && `${t(kind)} `}
      <FilterLink name="target" id={target} isPerson={target_kind === 'user'} />
    </>
  );
}

/** An id, as the person it is of where there still is one; it leads to everything that has it in the same place. */
function FilterLink(props: { name: 'actor' | 'target' | 'team'; id: string; isPerson?: boolean }) {
  const { name, id, isPerson = false } = props;
  const { data: person } = useQuery({ ...personQuery(id), enabled: isPerson, retry: false });
  return (
    <Link to="/admin/audit" search={{ [name]: id }} title={id} className={styles.id ?? ''}>
      {person ? nameOf({ ...person }) : <code>{`…${id.slice(-8)}`}</code>}
    </Link>
  );
}
