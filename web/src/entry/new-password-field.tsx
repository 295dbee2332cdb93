import { useTranslations } from 'use-intl';
import { PasswordField } from '../design/field.tsx';

/** A password that is chosen: as the server takes it, and for a password manager to keep. */
export function NewPasswordField({ label, error }: { label: string; error: string | undefined }) {
  const t = useTranslations('entry');
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      minLength={10}
      hint={t('passwordHint')}
      error={error}
    />
  );
}
