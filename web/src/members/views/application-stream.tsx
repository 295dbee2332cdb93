import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, BellOff, Ellipsis } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type OfApplication, readApplicationKey } from '../../api/application-key.ts';
import { installationsQuery, obstacleOf } from '../../api/installations.ts';
import { membershipsQuery } from '../../api/queries.ts';
import type { DirectConversation } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { Button, ButtonLink, IconButton } from '../../design/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { NotFoundPage } from '../../design/not-found.tsx';
import { Notice } from '../../design/notice.tsx';
import { useTitle } from '../../design/page.tsx';
import { Loading } from '../../design/states.tsx';
import { tell } from '../../design/toast.tsx';
import { ViewHead } from '../../design/view.tsx';
import { useFailureText } from '../../text/failure.ts';
import { Composer } from '../compose/composer.tsx';
import { LeftText } from '../compose/left-text.tsx';
import { MuteItems, useUntil } from '../message/mute-items.tsx';
import { blockedQuery, noteSeenWith, setBlocked } from '../state/direct.ts';
import { nameOfDraft } from '../state/drafts.ts';
import { findMessage } from '../state/messages.ts';
import { useMute } from '../state/mutes.ts';
import type { Target } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import direct from './direct.module.css';
import styles from './frame.module.css';
import { useStreamKeys } from './keys.ts';
import { notePosted, OfferAfterPosting } from './notification-offer.tsx';
import { type BetweenProps, OpenedStreamBody, useOpenedStream } from './opened-stream.tsx';

type Application = NonNullable<DirectConversation['application']>;

/** All that the reader and an application write to each other in a team. */
export function ApplicationStream(props: BetweenProps & { found: DirectConversation | null }) {
  const { found, ...rest } = props;
  const sides = readApplicationKey(rest.of) as OfApplication;
  const isNew = found?.application === undefined;
  const installed = useQuery({ ...installationsQuery(sides.team), enabled: isNew });
  const { data: blocked } = useQuery({ ...blockedQuery, enabled: isNew });
  if (found?.application) return <Shown {...rest} found={found} application={found.application} />;
  if (installed.isError) return <NotFoundPage />;
  if (!installed.data || !blocked) return <Loading rows={8} />;
  const installation = installed.data.find((one) => one.application.id === sides.application);
  if (!installation) return <NotFoundPage />;
  const { id, name, icon } = installation.application;
  const obstacle = blocked.includes(id) ? 'blocked' : obstacleOf(installation);
  const application = { id, name, icon, team: sides.team, ...(obstacle && { obstacle }) };
  return <Shown {...rest} found={null} application={application} />;
}

function Shown(props: BetweenProps & { found: DirectConversation | null; application: Application }) {
  const { of, found, application, at, mover, inviting } = props;
  const { id, name, team, obstacle } = application;
  const t = useTranslations('members.withApplication');
  const words = useTranslations('members.direct');
  const view = useMessageView();
  useTitle(name);
  const filter = useMemo(() => ({ with: of }), [of]);
  const target: Target = { kind: 'application', application: id, team };
  const opened = useOpenedStream(filter, target, at);
  const { composer, stream, editLast } = opened;
  const streamed = useMemo(
    () => ({
      label: words('label', { name }),
      beginning: t('beginning', { name }),
      seen: (ids: readonly string[]) => {
        const last = ids.findLast((one) => findMessage(one)?.read === false);
        if (last !== undefined) noteSeenWith(of, last);
      },
    }),
    [t, words, name, of],
  );
  useStreamKeys(name, stream);
  const label = words('write', { name });
  const draft = `people.${of}`;
  return (
    <>
      <ViewHead
        title={name}
        icon={<ApplicationIcon application={application} />}
        about={<About application={application} />}
      >
        <ButtonLink to="/search" search={{ with: of }} small look="quiet">
          {words('search')}
        </ButtonLink>
        <ButtonLink to="/direct/$people/files" params={{ people: of }} small look="quiet">
          {words('files')}
        </ButtonLink>
        <MoreMenu conversation={found?.id} application={application} />
      </ViewHead>
      <OpenedStreamBody
        opened={opened}
        of={streamed}
        unread={found?.unread ?? 0}
        mover={mover}
        empty={
          <div className={`${styles.scroll} ${styles.fill}`}>
            <p className={styles.beginning}>{streamed.beginning}</p>
          </div>
        }
      />
      <div className={styles.foot}>
        <OfferAfterPosting />
        {obstacle === undefined ? (
          <Composer
            target={target}
            draft={draft}
            label={label}
            placeholder={label}
            handle={composer}
            inviting={inviting ? 'opened' : undefined}
            editLast={editLast}
            onEscape={() => mover.current?.enter()}
            onPosted={() => {
              notePosted();
              stream.current?.follow();
            }}
          />
        ) : (
          <>
            <Closed application={application} obstacle={obstacle} />
            <LeftText name={nameOfDraft(view.me.id, draft)} />
          </>
        )}
        <p className={direct.whoReads}>{t('whoReads', { name })}</p>
      </div>
    </>
  );
}

/** The team in which it is, as a link to what the application is and may do there. */
function About({ application }: { application: Application }) {
  const t = useTranslations('members.withApplication');
  const { data: memberships } = useQuery(membershipsQuery);
  const { id, team: teamId } = application;
  const team = memberships?.find((one) => one.team.id === teamId)?.team;
  if (!team) return t('application');
  return t.rich('in', {
    team: () => (
      <Link to="/teams/$team/applications/$application" params={{ team: teamId, application: id }}>
        <bdi>{team.name}</bdi>
      </Link>
    ),
  });
}

function useBlocking({ id, name }: Application) {
  const t = useTranslations('members.withApplication');
  const failure = useFailureText();
  const { mutate } = useMutation({
    mutationFn: (isBlocked: boolean) => setBlocked(id, isBlocked),
    onSuccess: (_, isBlocked) => tell(t(isBlocked ? 'isBlocked' : 'isUnblocked', { name })),
    onError: (error) => tell(failure(error)),
  });
  return mutate;
}

/** Mutes the conversation, and blocks the application. */
function MoreMenu(props: { conversation: string | undefined; application: Application }) {
  const { conversation, application } = props;
  const t = useTranslations('members.withApplication');
  const failure = useFailureText();
  const untilText = useUntil();
  const place = { kind: 'conversation' as const, id: conversation ?? '' };
  const muted = useMute(place, conversation !== undefined);
  const setBlocked = useBlocking(application);
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => tell(failure(error)),
  });
  const isBlocked = application.obstacle === 'blocked';
  return (
    <Menu
      trigger={
        muted ? (
          <Button small look="quiet">
            <BellOff size={16} aria-hidden />
            {untilText(muted.until)}
          </Button>
        ) : (
          <IconButton small label={t('menu')}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )
      }
    >
      {conversation !== undefined && (
        <>
          <MuteItems place={place} muted={muted !== undefined} run={change.mutate} />
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<Ban size={16} aria-hidden />} onSelect={() => setBlocked(!isBlocked)}>
        {t(isBlocked ? 'unblock' : 'block', { name: application.name })}
      </MenuItem>
    </Menu>
  );
}

/** Stands in the place of the field, and says why nothing can be written. */
function Closed(props: { application: Application; obstacle: NonNullable<Application['obstacle']> }) {
  const { application, obstacle } = props;
  const { name } = application;
  const t = useTranslations('members.withApplication');
  const setBlocked = useBlocking(application);
  return (
    <Notice>
      {t(`obstacles.${obstacle}`, { name })}{' '}
      {obstacle === 'blocked' && (
        <Button small onClick={() => setBlocked(false)}>
          {t('unblock', { name })}
        </Button>
      )}
    </Notice>
  );
}
