import { useTranslations } from 'use-intl';
import { PasswordField, Select, TextField } from '../../design/field.tsx';
import type { Route, Way } from './openapi.ts';
import type { Credentials } from './request.ts';
import styles from './try.module.css';

/** The credentials to call with. They are forgotten when the page is left. */
export function CredentialFields(props: {
  route: Route;
  credentials: Credentials;
  onChange: (credentials: Credentials) => void;
}) {
  const { route, credentials, onChange } = props;
  const t = useTranslations('developers.try');
  const { ways } = route;
  if (ways.length === 0) return <p className={styles.soft}>{t('anybody')}</p>;
  const text = (name: 'token' | 'clientId' | 'clientSecret') => ({
    value: credentials[name],
    required: true,
    onChange: ({ target }: { target: HTMLInputElement }) =>
      onChange({ ...credentials, [name]: target.value }),
  });
  return (
    <div className={styles.group}>
      <Select
        label={t('as')}
        value={credentials.way}
        onChange={({ target }) => onChange({ ...credentials, way: target.value as Way })}
        hint={t('asHint')}
      >
        {ways.map((way) => (
          <option key={way} value={way}>
            {t(`ways.${way}`)}
          </option>
        ))}
      </Select>
      {credentials.way === 'token' && (
        <PasswordField label={t('token')} autoComplete="off" {...text('token')} />
      )}
      {credentials.way === 'client' && (
        <>
          <TextField label={t('clientId')} autoComplete="off" {...text('clientId')} />
          <PasswordField label={t('clientSecret')} autoComplete="off" {...text('clientSecret')} />
        </>
      )}
    </div>
  );
}
