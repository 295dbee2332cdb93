import { useTranslations } from 'use-intl';
import { Select, TextArea, TextField } from '../../design/field.tsx';
import { typeOf } from './example.ts';
import type { Parameter, Route, Schema } from './openapi.ts';
import type { Draft } from './request.ts';
import styles from './try.module.css';

interface Props {
  readonly route: Route;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** The parameters of the path, the query and the headers. */
export function ParameterFields({ route, draft, onChange }: Props) {
  if (route.parameters.length === 0) return null;
  return (
    <div className={styles.parameters}>
      {route.parameters.map((parameter) => {
        const key = `${parameter.in}.${parameter.name}`;
        return (
          <ParameterField
            key={key}
            parameter={parameter}
            value={draft.parameters[key] ?? ''}
            onChange={(value) => onChange({ ...draft, parameters: { ...draft.parameters, [key]: value } })}
          />
        );
      })}
    </div>
  );
}

function ParameterField(props: { parameter: Parameter; value: string; onChange: (value: string) => void }) {
  const { parameter, value, onChange } = props;
  const t = useTranslations('developers.try');
  const { name, schema, required = false, in: place } = parameter;
  const described = {
    label: name,
    hint: [t(`places.${place}`), typeOf(schema), parameter.description].filter(Boolean).join(' · '),
    value,
  };
  if (schema.enum && !required) {
    return (
      <Select {...described} onChange={({ target }) => onChange(target.value)}>
        <option value="">–</option>
        {schema.enum.map((one) => (
          <option key={String(one)} value={String(one)}>
            {String(one)}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <TextField
      {...described}
      required={required || place === 'path'}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** The body of the request. */
export function BodyFields({ route, draft, onChange, problem }: Props & { problem: string | undefined }) {
  const t = useTranslations('developers.try');
  const { body } = route;
  if (!body) return null;
  if (body.kind === 'file') {
    return (
      <TextField
        label={t('file')}
        type="file"
        required
        onChange={({ target }) => onChange({ ...draft, file: target.files?.[0] })}
      />
    );
  }
  if (body.kind === 'form') return <FormFields route={route} draft={draft} onChange={onChange} />;
  return (
    <div className={styles.group}>
      <TextArea
        label={t('body')}
        required
        className={styles.json}
        spellCheck={false}
        value={draft.json}
        onChange={({ target }) => onChange({ ...draft, json: target.value })}
        error={problem === undefined ? undefined : t('noJson', { problem })}
      />
      <Fields schema={body.schema} />
    </div>
  );
}

function FormFields({ route, draft, onChange }: Props) {
  const { properties = {}, required = [] } = route.body?.schema ?? {};
  return (
    <div className={styles.parameters}>
      {Object.entries(properties).map(([name, schema]) => (
        <TextField
          key={name}
          label={name}
          required={required.includes(name)}
          autoComplete="off"
          {...(schema.description !== undefined && { hint: schema.description })}
          value={draft.fields[name] ?? ''}
          onChange={({ target }) => onChange({ ...draft, fields: { ...draft.fields, [name]: target.value } })}
        />
      ))}
    </div>
  );
}

/** Every field that the body may have. */
function Fields({ schema }: { schema: Schema }) {
  const t = useTranslations('developers.try');
  const { properties = {}, required = [] } = schema;
  return (
    <details>
      <summary className={styles.summary}>{t('fields')}</summary>
      <dl className={styles.fields}>
        {Object.entries(properties).map(([name, field]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {required.includes(name) && <span className={styles.soft}>{t('needed')}</span>}
            </dt>
            <dd>
              <code className={styles.soft}>{typeOf(field)}</code>
              {field.description && <p>{field.description}</p>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
