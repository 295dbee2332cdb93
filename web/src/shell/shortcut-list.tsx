import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { commandsQuery, isReached } from '../api/offered.ts';
import { Dialog } from '../design/dialog.tsx';
import { BUILT_IN } from '../members/compose/commands.ts';
import { useOpenTeam } from './open-team.ts';
import styles from './shortcut-list.module.css';
import { keyName, useActiveShortcuts } from './shortcuts.ts';

/** All shortcuts of the open view, and the commands. */
export function ShortcutList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('shell');
  const team = useOpenTeam();
  const { data: offered = [] } = useQuery({ ...commandsQuery(team ?? ''), enabled: team !== undefined });
  const groups = [
    ...useActiveShortcuts().map(({ name, shortcuts }) => ({
      name,
      rows: Object.entries(shortcuts).map(([key, { label }]) => ({ key: keyName(key), label })),
    })),
    {
      name: t('commands.title'),
      rows: [
        ...BUILT_IN.map((name) => ({ key: `/${name}`, label: t(`commands.${name}.does`) })),
        ...(team === undefined ? [] : offered.filter(isReached)).map(
          ({ name, hint, description, application }) => ({
            key: `/${name} ${hint}`.trim(),
            label: t('commands.of', { does: description, name: application.name }),
          }),
        ),
      ],
    },
  ];
  return (
    <Dialog open={open} onClose={onClose} title={t('shortcuts')} wide>
      <div className={styles.groups}>
        {groups.map(({ name, rows }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl className={styles.list}>
              {rows.map(({ key, label }) => (
                <div key={key} className={styles.row}>
                  <dt>{label}</dt>
                  <dd>
                    <kbd className={styles.key}>{key}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
