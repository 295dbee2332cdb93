import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { CheckCheck, Hash } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../../api/queries.ts';
import type { Membership } from '../../api/types.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { onDemand } from '../../design/on-demand.tsx';
import { Loaded } from '../../design/states.tsx';
import { TeamHead } from '../../teams/team-frame.tsx';
import { subjectsQuery } from '../state/subjects.ts';
import { SubjectList } from '../subjects/subject-list.tsx';
import ofSubjects from '../subjects/subjects.module.css';
import styles from './frame.module.css';
import { JumpToDate } from './jump-to-date.tsx';
import { LeftTeam } from './left-texts.tsx';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { MuteButton } from './mute-button.tsx';
import { TeamMessages } from './team-messages.tsx';

const NewSubjectDialog = onDemand(
  async () => (await import('../subjects/subject-dialogs.tsx')).NewSubjectDialog,
);

/** A team's stream, or what of it is about one subject. */
export function TeamStream() {
  const { team: id } = useParams({ from: '/signed-in/teams/$team' });
  const { open, at, reply, subject, hello } = useSearch({ from: '/signed-in/teams/$team' });
  const memberships = useQuery(membershipsQuery);
  const mover = useRef<Mover>(null);
  const shown = useRef<string>(undefined);
  return (
    <Loaded query={memberships}>
      {(all: Membership[]) => {
        const membership = all.find(({ team }) => team.id === id);
        if (!membership) return <LeftTeam team={id} known={shown.current === id} />;
        shown.current = id;
        return (
          <MessagesFrame key={id} openId={open} replyId={reply} mover={mover}>
            <TeamView
              membership={membership}
              subject={subject}
              at={at}
              mover={mover}
              inviting={!open}
              hello={hello}
            />
          </MessagesFrame>
        );
      }}
    </Loaded>
  );
}

interface TeamViewProps {
  readonly membership: Membership;
  /** The id of the one that is shown alone. */
  readonly subject: string | undefined;
  readonly at: string | undefined;
  readonly mover: RefObject<Mover | null>;
  /** Whether nothing else in the view takes the focus. */
  readonly inviting: boolean;
  readonly hello: string | undefined;
}

type Asked = 'list' | 'new';

function TeamView({ membership, subject: shown, ...rest }: TeamViewProps) {
  const { team } = membership;
  const t = useTranslations('members.team');
  const about = useTranslations('members.subjects');
  const navigate = useNavigate();
  const { data: subjects = [] } = useQuery(subjectsQuery(team.id));
  const subject = subjects.find(({ id }) => id === shown);
  const [asked, setAsked] = useState<Asked>();
  const [next, setNext] = useState<string>();
  const markRead = useRef<() => void>(undefined);
  const unread = shown === undefined ? team.unread_count : (subject?.num_unread ?? 0);
  const close = () => setAsked(undefined);
  const begin = (name: string) => {
    const known = subjects.find((one) => one.name.toLowerCase() === name.toLowerCase());
    setNext(known ? undefined : name);
    void navigate({ to: '.', search: (known ? { subject: known.id } : {}) as never });
  };
  const list = (more: { onChosen?: () => void }) => (
    <SubjectList team={team.id} subjects={subjects} shown={shown} onNew={() => setAsked('new')} {...more} />
  );
  return (
    <div className={ofSubjects.whole}>
      <TeamHead team={team}>
        {unread > 0 && (
          <Button
            small
            look="quiet"
            className={styles.late}
            aria-keyshortcuts="Escape"
            onClick={() => markRead.current?.()}
          >
            <CheckCheck size={16} aria-hidden />
            <span className={styles.word}>{t('markRead')}</span>
            <kbd className={styles.key} aria-hidden>
              Esc
            </kbd>
          </Button>
        )}
        <JumpToDate team={team.id} />
        <span className={subjects.length > 0 ? ofSubjects.opener : undefined}>
          <IconButton
            small
            label={about('label')}
            aria-haspopup="dialog"
            onClick={() => setAsked(subjects.length > 0 ? 'list' : 'new')}
          >
            <Hash size={16} aria-hidden />
          </IconButton>
        </span>
        <MuteButton place={{ kind: 'team', id: team.id }} muted={membership.is_muted === 1} />
      </TeamHead>
      <div className={`${ofSubjects.parts} ${subjects.length > 0 ? ofSubjects.withList : ''}`}>
        {subjects.length > 0 && <div className={ofSubjects.beside}>{list({})}</div>}
        <div className={ofSubjects.messages}>
          <TeamMessages
            key={shown ?? 'all'}
            membership={membership}
            place={{ team: team.id, ...(shown !== undefined && { subject: shown }) }}
            subject={subject}
            next={next}
            endNext={() => setNext(undefined)}
            unread={unread}
            markRead={markRead}
            {...rest}
          />
        </div>
      </div>
      {asked === 'list' && (
        <Dialog open onClose={close} title={about('label')}>
          {list({ onChosen: close })}
        </Dialog>
      )}
      {asked === 'new' && <NewSubjectDialog team={team.id} onClose={close} onNamed={begin} />}
    </div>
  );
}
