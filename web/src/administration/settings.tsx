import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { hasWords } from '../api/matching.ts';
import type { ShownSetting } from '../api/types.ts';
import { AddressField, Switch } from '../design/field.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { settingsQuery } from './queries.ts';

const route = { from: '/signed-in/admin/settings' } as const;

/** The settings in force. They are changed where the server is started, not here. */
export function Settings() {
  const t = useTranslations('administration.settings');
  const { q = '', changed = false } = useSearch(route);
  const navigate = useNavigate({ from: '/admin/settings' });
  const query = useQuery(settingsQuery);
  const fits = (setting: ShownSetting) =>
    hasWords(`${setting.name} ${setting.help}`, q) && !(changed && setting.default);
  return (
    <AdminPage part="settings" lead={t('lead')}>
      <search className={styles.stack}>
        <AddressField
          label={t('search')}
          type="search"
          required
          value={q}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, q: target.value }), replace: true })
          }
        />
        <Switch
          label={t('changed')}
          checked={changed}
          onChange={(on) =>
            void navigate({
              search: ({ changed: _, ...rest }) => (on ? { ...rest, changed: true } : rest),
              replace: true,
            })
          }
        />
      </search>
      <Loaded query={query}>
        {(settings) => {
          const found = settings.filter(fits);
          if (found.length === 0) return <Notice>{t('none')}</Notice>;
          return (
            <List label={t('list')}>
              {found.map((setting) => (
                <SettingRow key={setting.name} setting={setting} />
              ))}
            </List>
          );
        }}
      </Loaded>
    </AdminPage>
  );
}

function SettingRow({ setting }: { setting: ShownSetting }) {
  const t = useTranslations('administration.settings');
  const { name, value, secret, help } = setting;
  return (
    <ListRow
      title={
        <>
          <code>{name}</code>
          {secret && <Badge>{t('secret')}</Badge>}
          {!setting.default && <Badge kind="warning">{t('differs')}</Badge>}
        </>
      }
      detail={help}
    >
      <p className={styles.value}>
        {value ? <code>{value}</code> : <span className={styles.soft}>{t('unset')}</span>}
      </p>
    </ListRow>
  );
}
