import { useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { PenLine, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { readApplicationKey } from '../../api/application-key.ts';
import { installationsQuery } from '../../api/installations.ts';
import { membershipsQuery, meQuery, personQuery } from '../../api/queries.ts';
import { ButtonLink, IconButton } from '../../design/button.tsx';
import { PageBody } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Empty } from '../../design/states.tsx';
import { endToast, tell } from '../../design/toast.tsx';
import { useKept } from '../../storage/kept.ts';
import { useNameOf } from '../message/people.tsx';
import { conversationQuery } from '../state/direct.ts';
import { type Draft, discardWritten, nameOfDraft, nameOfEdit, useWritten } from '../state/drafts.ts';
import { messageQuery } from '../state/lists.ts';
import { sidebarQuery } from '../state/message-queries.ts';
import { findMessage, useFromMessages } from '../state/messages.ts';
import { useSaid } from '../text/said.ts';
import styles from './direct.module.css';

/** What the reader began to write in this browser, with the way back to each place. */
export function Drafts() {
  const t = useTranslations('members.drafts');
  const { data: me } = useSuspenseQuery(meQuery);
  const names = useWritten(me?.id ?? '');
  if (!me) return null;
  return (
    <PageBody title={t('title')} lead={names.length > 0 && t('lead')}>
      {names.length === 0 ? (
        <Empty icon={PenLine} title={t('emptyTitle')}>
          <p>{t('emptyText')}</p>
          <ButtonLink to="/compose" look="primary">
            {t('compose')}
          </ButtonLink>
        </Empty>
      ) : (
        <ul className={styles.rows}>
          {names.map((name) => (
            <li key={name}>
              <Row name={name} me={me.id} />
            </li>
          ))}
        </ul>
      )}
    </PageBody>
  );
}

function Row({ name, me }: { name: string; me: string }) {
  const edits = nameOfEdit(me, '');
  if (name.startsWith(edits)) return <OfMessage name={name} message={name.slice(edits.length)} kind="edit" />;
  const place = name.slice(nameOfDraft(me, '').length);
  const at = place.indexOf('.');
  const [kind, id] = at === -1 ? [place, ''] : [place.slice(0, at), place.slice(at + 1)];
  switch (kind) {
    case 'team':
      return <OfTeam name={name} place={id} />;
    case 'people':
      return readApplicationKey(id) ? (
        <OfApplication name={name} place={id} />
      ) : (
        <OfPeople name={name} people={id} me={me} />
      );
    case 'replies':
      return <OfMessage name={name} message={id} kind="reply" />;
    case 'sidebar':
      return <OfSidebar name={name} sidebar={id} />;
    default:
      return <Unaddressed name={name} />;
  }
}

/** A draft's place and its text, as a link to the place, and the button that discards it. */
function Place(props: {
  name: string;
  label: string;
  to: LinkProps['to'];
  params?: object;
  search?: object;
}) {
  const { name, label, to, params, search } = props;
  const t = useTranslations('members.drafts');
  const draft = useKept<Draft>(name);
  const text = draft?.text.trim() || t('files');
  const discard = () => {
    const bringBack = discardWritten(name);
    const undo = () => {
      endToast();
      void bringBack();
    };
    tell(t('discarded'), { label: t('undo'), run: undo });
  };
  return (
    <div className={styles.withAction}>
      <Link {...({ to, params, search } as LinkProps)} className={styles.row as string}>
        <span className={styles.text}>
          <span className={styles.name}>{label}</span>
          <span className={`${styles.last} ${styles.said}`}>
            <span dir="auto">{text}</span>
          </span>
        </span>
      </Link>
      <IconButton label={t('discard', { place: label })} onClick={discard}>
        <Trash2 size={18} aria-hidden />
      </IconButton>
    </div>
  );
}

function Unaddressed({ name }: { name: string }) {
  const t = useTranslations('members.drafts');
  return <Place name={name} label={t('compose')} to="/compose" />;
}

/** @param props.place the id of the team, and perhaps behind a dot that of a subject */
function OfTeam({ name, place }: { name: string; place: string }) {
  const [team = '', subject] = place.split('.');
  const t = useTranslations('members.drafts');
  const { data: memberships } = useQuery(membershipsQuery);
  const found = memberships?.find((membership) => membership.team.id === team);
  return (
    <Place
      name={name}
      label={found?.team.name ?? t('somewhere')}
      to="/teams/$team"
      params={{ team }}
      search={subject === undefined ? {} : { subject }}
    />
  );
}

function OfPeople({ name, people, me }: { name: string; people: string; me: string }) {
  const t = useTranslations('members.drafts');
  const nameOfAll = useNameOf(me);
  const found = useQueries({ queries: people.split(',').map((id) => personQuery(id)) });
  const known = found.flatMap(({ data }) => data ?? []);
  const label = known.length === found.length ? nameOfAll(known) : t('somewhere');
  return <Place name={name} label={label} to="/direct/$people" params={{ people }} />;
}

function OfApplication({ name, place }: { name: string; place: string }) {
  const t = useTranslations('members.drafts');
  const { data: conversation } = useQuery(conversationQuery(place));
  const { team = '', application } = readApplicationKey(place) ?? {};
  const { data: installed } = useQuery({ ...installationsQuery(team), enabled: conversation === null });
  const found =
    conversation?.application ?? installed?.find((one) => one.application.id === application)?.application;
  return (
    <Place
      name={name}
      label={found?.name ?? t('somewhere')}
      to="/direct/$people"
      params={{ people: place }}
    />
  );
}

function OfMessage(props: { name: string; message: string; kind: 'edit' | 'reply'; sidebar?: string }) {
  const { name, message: id, kind, sidebar } = props;
  const t = useTranslations('members.drafts');
  const said = useSaid();
  useQuery({ ...messageQuery(id), retry: false });
  const message = useFromMessages(() => findMessage(id));
  const about = message ? { name: nameOf(message.author), text: said(message) } : undefined;
  const label = about ? t(sidebar === undefined ? kind : 'sidebar', about) : t('somewhere');
  return (
    <Place
      name={name}
      label={label}
      to="/messages/$message"
      params={{ message: id }}
      search={sidebar === undefined ? {} : { sidebar }}
    />
  );
}

function OfSidebar({ name, sidebar }: { name: string; sidebar: string }) {
  const t = useTranslations('members.drafts');
  const { data } = useQuery({ ...sidebarQuery(sidebar), retry: false });
  if (!data) return <Place name={name} label={t('somewhere')} to="/inbox" />;
  return <OfMessage name={name} message={data.message} kind="reply" sidebar={sidebar} />;
}
