import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { personQuery } from '../api/queries.ts';
import { ADMIN, type AuditEntry } from '../api/types.ts';
import { ButtonAnchor } from '../design/button.tsx';
import { Table } from '../design/page.tsx';
import { nameOf } from '../design/person.tsx';
import { Empty } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { AuditFilter, type AuditSearch, filterOf } from './audit-filter.tsx';
import { Pages } from './pages.tsx';
import { auditQuery, teamsQuery } from './queries.ts';

const route = { from: '/signed-in/admin/audit' } as const;

/** The audit log, newest first. */
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
            <Table stacks label={t('list')} head={columns.map((name) => t(`columns.${name}`))}>
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
  const detail = Object.entries(entry.detail).map(([name, value]) => {
    if (name === 'membership_type') return t(value === ADMIN ? 'asAdmin' : 'asMember');
    return `${name}: ${String(value)}`;
  });
  return (
    <tr>
      <td className={styles.id}>
        <Time at={entry.at} style="full" />
      </td>
      <td>
        {t.has(key) ? t(key) : entry.action}
        {detail.length > 0 && <p className={styles.soft}>{detail.join(', ')}</p>}
      </td>
      <td>
        {entry.actor === null ? (
          <ActorKind kind={entry.actor_kind} />
        ) : (
          <FilterLink name="actor" id={entry.actor} kind="user" />
        )}
      </td>
      <td>
        <Target entry={entry} />
      </td>
      <td>{entry.team !== null && <FilterLink name="team" id={entry.team} kind="team" />}</td>
      <td>{entry.address}</td>
    </tr>
  );
}

function ActorKind({ kind }: { kind: string }) {
  const t = useTranslations('administration.audit.actorKinds');
  return t.has(kind as 'user') ? t(kind as 'user') : kind;
}

function Target({ entry: { target, target_kind } }: { entry: AuditEntry }) {
  const t = useTranslations('administration.audit.targetKinds');
  if (target === null) return null;
  const kind = target_kind as 'user';
  return (
    <>
      {target_kind !== null && target_kind !== 'user' && t.has(kind) && `${t(kind)} `}
      <FilterLink name="target" id={target} kind={target_kind} />
    </>
  );
}

/** An id, as who or what it is of where that can be told; it leads to all that has it in the same place. */
function FilterLink(props: { name: 'actor' | 'target' | 'team'; id: string; kind: string | null }) {
  const { name, id, kind } = props;
  const known = useNameOf(id, kind);
  return (
    <Link to="/admin/audit" search={{ [name]: id }} title={id} className={styles.id ?? ''}>
      {known ?? <code>{`…${id.slice(-8)}`}</code>}
    </Link>
  );
}

/** Teams are told by name while they are among the newest: there is no route that names one. */
function useNameOf(id: string, kind: string | null): string | undefined {
  const { data: person } = useQuery({ ...personQuery(id), enabled: kind === 'user', retry: false });
  const { data: teams } = useInfiniteQuery({
    ...teamsQuery(undefined),
    enabled: kind === 'team',
    staleTime: 60_000,
  });
  if (person) return nameOf(person);
  return teams?.pages.flatMap(({ data }) => data).find((team) => team.id === id)?.name;
}
