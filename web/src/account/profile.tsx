import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { retold } from '../text/failure.ts';
import styles from './account.module.css';
import { PictureCard } from './picture.tsx';
import { changeMe, useMe } from './queries.ts';
import { SettingsPage } from './settings-page.tsx';
import { StatusCard } from './status.tsx';

export function ProfileSettings() {
  const t = useTranslations('account.profile');
  const me = useMe();
  const { data: server } = useSuspenseQuery(serverQuery);
  return (
    <SettingsPage tab="profile">
      <StatusCard />
      <PictureCard me={me} />
      <ProfileCard />
      <p>
        {t(`visibility.${server.profile_visibility}`)}{' '}
        <Link to="/people/$user" params={{ user: me.id }}>
          {t('seen')}
        </Link>
      </p>
    </SettingsPage>
  );
}

function ProfileCard() {
  const t = useTranslations('account');
  const common = useTranslations('common');
  const entry = useTranslations('entry');
  const me = useMe();
  const save = async (values: Record<string, string>) => {
    try {
      return await changeMe(values);
    } catch (error) {
      throw retold(error, { username: t('profile.usernameTaken') });
    }
  };
  return (
    <Card title={t('tabs.profile')} lead={t('profile.lead')}>
      <Form send={save} onDone={() => tell(common('saved'))} submit={common('save')}>
        {({ errorOf }) => {
          const field = (
            name: 'first_name' | 'last_name' | 'title' | 'location' | 'company' | 'username',
          ) => ({
            name,
            defaultValue: me[name],
            error: errorOf(name),
          });
          return (
            <>
              <div className={styles.two}>
                <TextField
                  label={entry('firstName')}
                  {...field('first_name')}
                  autoComplete="given-name"
                  required
                  maxLength={100}
                />
                <TextField
                  label={entry('lastName')}
                  {...field('last_name')}
                  autoComplete="family-name"
                  required
                  maxLength={100}
                />
              </div>
              <TextField
                label={t('profile.username')}
                {...field('username')}
                hint={t('profile.usernameHint', { username: me.username })}
                title={t('profile.usernameWrong')}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                required
                pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
              />
              <TextField
                label={t('profile.jobTitle')}
                {...field('title')}
                hint={t('profile.jobTitleHint')}
                autoComplete="organization-title"
                maxLength={200}
              />
              <div className={styles.two}>
                <TextField
                  label={t('profile.location')}
                  {...field('location')}
                  autoComplete="address-level2"
                  maxLength={200}
                />
                <TextField
                  label={t('profile.company')}
                  {...field('company')}
                  autoComplete="organization"
                  maxLength={200}
                />
              </div>
            </>
          );
        }}
      </Form>
    </Card>
  );
}
