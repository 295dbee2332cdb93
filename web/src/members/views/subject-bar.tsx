import { useMutation } from '@tanstack/react-query';
import { ArchiveRestore, Ellipsis, FolderCheck, Hash, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Subject } from '../../api/types.ts';
import { IconButton } from '../../design/button.tsx';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { onDemand } from '../../design/on-demand.tsx';
import { tell } from '../../design/toast.tsx';
import { useFailureText } from '../../text/failure.ts';
import { changeSubject } from '../state/subjects.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from '../subjects/subjects.module.css';
import { MuteButton } from './mute-button.tsx';

const RenameSubjectDialog = onDemand(
  async () => (await import('../subjects/subject-dialogs.tsx')).RenameSubjectDialog,
);

/** The name of the subject that is shown alone, and what can be done with it. */
export function SubjectBar({ team, subject }: { team: string; subject: Subject }) {
  const { id, name, closed } = subject;
  const t = useTranslations('members.subjects');
  const failure = useFailureText();
  const { me, isAdmin } = useMessageView();
  const [isRenaming, setRenaming] = useState(false);
  const mayChange = subject.created_by === me.id || isAdmin(team);
  const close = useMutation({
    mutationFn: (isClosed: boolean) => changeSubject(team, id, { closed: isClosed }),
    onError: (error) => tell(failure(error)),
  });
  return (
    <div className={styles.bar}>
      <Hash size={16} aria-hidden />
      <h2 dir="auto">{name}</h2>
      {closed && <span className={styles.soft}>{t('isClosed')}</span>}
      <MuteButton place={{ kind: 'subject', id }} />
      {mayChange && (
        <Menu
          trigger={
            <IconButton small label={t('menu')}>
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setRenaming(true)}>
            {t('rename')}
          </MenuItem>
          <MenuItem
            icon={closed ? <ArchiveRestore size={16} aria-hidden /> : <FolderCheck size={16} aria-hidden />}
            onSelect={() => close.mutate(!closed)}
          >
            {t(closed ? 'reopen' : 'close')}
          </MenuItem>
        </Menu>
      )}
      {isRenaming && <RenameSubjectDialog team={team} subject={subject} onClose={() => setRenaming(false)} />}
    </div>
  );
}
