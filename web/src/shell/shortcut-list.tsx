import { useTranslations } from 'use-intl';
import { Dialog } from '../design/dialog.tsx';
import { BUILT_IN } from '../members/compose/commands.ts';
import styles from './shortcut-list.module.css';
import { keyName, useActiveShortcuts } from './shortcuts.ts';

/** All shortcuts of the open view. */
export function ShortcutList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('shell');
  const groups = useActiveShortcuts();
  return (
    <Dialog open={open} onClose={onClose} title={t('shortcuts')} wide>
      <div className={styles.groups}>
        {groups.map(({ name, shortcuts }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl className={styles.list}>
              {Object.entries(shortcuts).map(([key, { label }]) => (
                <div key={key} className={styles.row}>
                  <dt>{label}</dt>
                  <dd>
                    <kbd className={styles.key}>{keyName(key)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section aria-label={t('commands.title')}>
          <h3>{t('commands.title')}</h3>
          <dl className={styles.list}>
            {BUILT_IN.map((name) => (
              <div key={name} className={styles.row}>
                <dt>{t(`commands.${name}.does`)}</dt>
                <dd>
                  <kbd className={styles.key}>/{name}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
