import { useTranslations } from 'use-intl';
import { TextField } from '../design/field.tsx';
import styles from './entry.module.css';
import { NewPasswordField } from './new-password-field.tsx';

/** The fields of a new account. @param props.email an address that is settled already, as by an invitation */
export function AccountFields({
  errorOf,
  email,
}: {
  errorOf: (field: string) => string | undefined;
  email?: string;
}) {
  const t = useTranslations('entry');
  return (
    <>
      <div className={styles.two}>
        <TextField
          label={t('firstName')}
          name="first_name"
          autoComplete="given-name"
          required
          maxLength={100}
          error={errorOf('first_name')}
        />
        <TextField
          label={t('lastName')}
          name="last_name"
          autoComplete="family-name"
          required
          maxLength={100}
          error={errorOf('last_name')}
        />
      </div>
      <TextField
        label={t('email')}
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        {...(email !== undefined && { defaultValue: email })}
        error={errorOf('email')}
      />
      <NewPasswordField label={t('password')} error={errorOf('password')} />
    </>
  );
}
