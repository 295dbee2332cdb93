import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, BellOff, Ellipsis } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { type OfApplication, readApplicationKey } from '../../api/application-key.ts';
import { installationsQuery, obstacleOf } from '../../api/installations.ts';
import { membershipsQuery } from '../../api/queries.ts';
import type { DirectConversation } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { NotFoundPage } from '../../design/not-found.tsx';
import { Notice } from '../../design/notice.tsx';
import { Loading } from '../../design/states.tsx';
import { tell } from '../../design/toast.tsx';
import { useFailureText } from '../../text/failure.ts';
import { LeftText } from '../compose/left-text.tsx';
import { MuteItems, useUntil } from '../message/mute-items.tsx';
import { blockedQuery, setBlocked } from '../state/direct.ts';
import { nameOfDraft } from '../state/drafts.ts';
import { useMute } from '../state/mutes.ts';
import { useMessageView } from '../state/view-context.tsx';
import direct from './direct.module.css';
import { DirectView, draftOf } from './direct-view.tsx';
import type { BetweenProps } from './opened-stream.tsx';

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
  const { found, application, ...rest } = props;
  const { id, name, team, obstacle } = application;
  const t = useTranslations('members.withApplication');
  const words = useTranslations('members.direct');
  const view = useMessageView();
  return (
    <DirectView
      {...rest}
      name={name}
      icon={<ApplicationIcon application={application} />}
      about={<About application={application} />}
      menu={<MoreMenu conversation={found?.id} application={application} />}
      target={{ kind: 'application', application: id, team }}
      unread={found?.unread ?? 0}
      beginning={t('beginning', { name })}
      label={words('write', { name })}
      closed={
        obstacle && (
          <>
            <Closed application={application} obstacle={obstacle} />
            <LeftText name={nameOfDraft(view.me.id, draftOf(rest.of))} />
          </>
        )
      }
      note={<p className={direct.whoReads}>{t('whoReads', { name })}</p>}
    />
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
