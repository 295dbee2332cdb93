import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Download, FileSearch, Files, FileText, Film, Image, MessageSquare, Music } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../../api/live.ts';
import { queryClient } from '../../api/queries.ts';
import type { Message, PostedFile } from '../../api/types.ts';
import { ButtonAnchor } from '../../design/button.tsx';
import { AddressField, Select } from '../../design/field.tsx';
import { RowContent } from '../../design/list.tsx';
import { onDemand } from '../../design/on-demand.tsx';
import { nameOf } from '../../design/person.tsx';
import { useSize } from '../../design/size.ts';
import { Empty, Failure, Loading } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { VirtualList } from '../../design/virtual-list.tsx';
import { Player } from '../message/attachments.tsx';
import { filesOf } from '../state/edited-draft.ts';
import { type FileFilter, type FilesOf, filesKey, filesQuery, KINDS, kindOf } from '../state/files.ts';
import styles from './file-list.module.css';

const Lightbox = onDemand(async () => (await import('../message/lightbox.tsx')).Lightbox);

/** The way to a message; `root` is what it answers. */
type WayTo = (message: string, root: string | undefined) => LinkProps;

/** Files with what narrows them. A server's page may be short: the next one follows until there is enough to see. */
export function FileList(props: {
  of: FilesOf;
  filter: FileFilter;
  narrow: (part: FileFilter) => void;
  /** Chooses by whom they are. */
  person: ReactNode;
  search: WayTo;
}) {
  const { of, filter, narrow, person, search } = props;
  const t = useTranslations('members.fileList');
  const { query, files } = useFiles(of, filter);
  const [opened, setOpened] = useState<string>();
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  const pictures = files.filter(isPicture);
  const isFiltered = Object.values(filter).some((one) => one !== undefined);
  const isComplete = query.data !== undefined && !query.hasNextPage;
  return (
    <>
      <search className={styles.search}>
        <AddressField
          label={t('search')}
          type="search"
          maxLength={100}
          value={filter.q ?? ''}
          onChange={({ target }) => narrow({ q: target.value })}
        />
        <Select
          label={t('kind')}
          value={filter.kind ?? ''}
          onChange={({ target }) => narrow({ kind: target.value })}
        >
          <option value="">{t('anyKind')}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </Select>
        {person}
      </search>
      {query.isPending && <Loading />}
      <p role="status" className={isFiltered && !isComplete ? styles.soft : 'visually-hidden'}>
        {isFiltered && !isComplete && t('looking')}
      </p>
      {files.length > 0 && (
        <VirtualList
          label={t('list')}
          items={files}
          count={files.length}
          keyOf={keyOf}
          row={(file) => <FileRow file={file} open={() => setOpened(keyOf(file))} search={search} />}
          onEnd={() => void (query.hasNextPage && query.fetchNextPage())}
        />
      )}
      {isComplete && files.length === 0 && (isFiltered ? <NothingFits /> : <NoFiles />)}
      {opened !== undefined && (
        <Lightbox
          pictures={pictures}
          first={pictures.findIndex((file) => keyOf(file) === opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** Whether an edit gave a message other files than the list shows. */
function hasOthers(files: readonly PostedFile[], { id, attachments = [] }: Partial<Message>): boolean {
  const listed = files.filter(({ message }) => message === id).map((file) => file.id);
  const held = filesOf({ attachments }).map((file) => file.id);
  return listed.length !== held.length || listed.some((one) => !held.includes(one));
}

/** Enough to fill a page. */
const ENOUGH = 30;

function useFiles(of: FilesOf, filter: FileFilter) {
  const query = useInfiniteQuery(filesQuery(of, filter));
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const files = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const wantsMore = files.length < ENOUGH && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const latest = useRef(files);
  latest.current = files;
  const place = 'team' in of ? of.team : of.conversation;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is all that tells two of them apart
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: filesKey(of) });
    const ends = [
      onLive('message.created', ({ message }) => (message.attachments ?? []).length > 0 && refresh()),
      onLive('message.updated', ({ message }) => {
        const last = message.events?.at(-1)?.type;
        if (last === 'deleted' || (last === 'edited' && hasOthers(latest.current, message))) refresh();
      }),
      onLive('ready', refresh),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [place]);
  return { query, files };
}

/** A file may be in several messages. */
const keyOf = ({ id, message }: PostedFile) => `${message} ${id}`;

interface Picture extends PostedFile {
  readonly thumbnail_url: string;
}

const isPicture = (file: PostedFile): file is Picture => file.thumbnail_url !== null;

function FileRow({ file, open, search }: { file: PostedFile; open: () => void; search: WayTo }) {
  const t = useTranslations('members.fileList');
  const files = useTranslations('members.files');
  const size = useSize();
  const [plays, setPlays] = useState(false);
  const kind = kindOf(file);
  const isPlayed = kind === 'video' || kind === 'audio';
  const way =
    file.sidebar === undefined
      ? search(file.message, file.reply_to)
      : ({ to: '/messages/$message', params: { message: file.message } } as LinkProps);
  return (
    <RowContent
      icon={<Face file={file} />}
      title={
        isPicture(file) ? (
          <button
            type="button"
            className={styles.name}
            aria-haspopup="dialog"
            aria-label={files('open', { name: file.name })}
            onClick={open}
          >
            <bdi>{file.name}</bdi>
          </button>
        ) : isPlayed ? (
          <button
            type="button"
            className={styles.name}
            aria-expanded={plays}
            onClick={() => setPlays(!plays)}
          >
            <bdi>{file.name}</bdi>
          </button>
        ) : (
          <a href={file.url} download={file.name}>
            <bdi>{file.name}</bdi>
          </a>
        )
      }
      detail={
        <>
          {size(file.size)} · <bdi>{nameOf(file.author)}</bdi> · <Time at={file.posted_at} />
          {file.sidebar !== undefined && ` · ${t('sidebar')}`}
        </>
      }
      actions={
        <>
          <Link
            {...way}
            className={styles.action as string}
            aria-label={t('toMessage')}
            data-hint={t('toMessage')}
          >
            <MessageSquare size={18} aria-hidden />
          </Link>
          <ButtonAnchor
            href={file.url}
            download={file.name}
            look="quiet"
            small
            aria-label={`${files('download')}: ${file.name}`}
          >
            <Download size={18} aria-hidden />
          </ButtonAnchor>
        </>
      }
    >
      {plays && <Player file={file} kind={kind === 'video' ? 'video' : 'audio'} />}
    </RowContent>
  );
}

const ICONS = { picture: Image, video: Film, audio: Music, document: FileText } as const;

function Face({ file }: { file: PostedFile }) {
  const Icon = ICONS[kindOf(file)];
  return (
    <span className={styles.face}>
      {isPicture(file) ? (
        <img src={file.thumbnail_url} alt="" loading="lazy" decoding="async" width="40" height="40" />
      ) : (
        <Icon size={20} aria-hidden />
      )}
    </span>
  );
}

export function NoFiles() {
  const t = useTranslations('members.fileList');
  return (
    <Empty icon={Files} title={t('none')}>
      <p>{t('noneHint')}</p>
    </Empty>
  );
}

function NothingFits() {
  const t = useTranslations('members.fileList');
  return (
    <Empty icon={FileSearch} title={t('noneFits')}>
      <p>{t('noneFitsHint')}</p>
    </Empty>
  );
}
