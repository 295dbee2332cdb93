import { AppWindow, type LucideIcon, MessagesSquare, Palette, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Membership } from '../../api/types.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Empty } from '../../design/states.tsx';
import { administers } from '../../teams/team-frame.tsx';
import styles from './frame.module.css';
import { HelloButton, PeopleHere } from './people-here.tsx';

interface FirstStepsProps {
  readonly membership: Membership;
  readonly sayHello: () => void;
  /** A first message is in the field: what comes next is to send it. */
  readonly isReady: boolean;
}

/** An empty team: who is in it, and what an admin does first. The one filled button is what comes next. */
export function FirstSteps({ membership, sayHello, isReady }: FirstStepsProps) {
  const t = useTranslations('members.team');
  const { team } = membership;
  const isAlone = team.num_members === 1 && administers(membership);
  const to = { params: { team: team.id }, small: true };
  return (
    <div className={styles.scroll}>
      <Empty icon={MessagesSquare} title={t('emptyTitle')}>
        <PeopleHere team={team} />
        <p>{isAlone ? t('aloneText') : t('emptyText', { team: team.name })}</p>
        {!isAlone && !isReady && <HelloButton onClick={sayHello} />}
      </Empty>
      {administers(membership) && (
        <ol className={styles.steps} aria-label={t('firstSteps')}>
          <Step icon={UserPlus} text={t('inviteText')}>
            <ButtonLink
              to="/teams/$team/members"
              {...to}
              search={{ invite: 'yes' }}
              look={isAlone && !isReady ? 'primary' : 'secondary'}
            >
              {t('invite')}
            </ButtonLink>
          </Step>
          <Step icon={AppWindow} text={t('installText')}>
            <ButtonLink to="/teams/$team/applications" {...to}>
              {t('install')}
            </ButtonLink>
          </Step>
          <Step icon={Palette} text={t('lookText')}>
            <ButtonLink to="/teams/$team/settings" {...to}>
              {t('look')}
            </ButtonLink>
          </Step>
        </ol>
      )}
    </div>
  );
}

function Step({ icon: Icon, text, children }: { icon: LucideIcon; text: string; children: ReactNode }) {
  return (
    <li>
      <Icon size={20} aria-hidden />
      <p>{text}</p>
      {children}
    </li>
  );
}
