import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Block } from '../../api/types.ts';
import { ButtonAnchor } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageBody } from '../../design/page.tsx';
import { BlocksPreview, type Pressed } from '../../members/blocks/blocks-preview.tsx';
import { useSettled } from '../../members/compose/use-settled.ts';
import { FormPreview } from '../../members/forms/form-preview.tsx';
import { useFailureText } from '../../text/failure.ts';
import { applicationsQuery } from '../queries.ts';
import { UpLink } from '../up-link.tsx';
import styles from './builder.module.css';
import { type Checked, checkQuery, type FormWords, faultsOf, readWritten } from './check.ts';
import { type Fault, Faults, JsonEditor, openLine } from './json-editor.tsx';
import { jsonLines } from './json-lines.ts';
import { SAMPLES, type SampleName, samples } from './samples.ts';
import { sharesWord } from './shared-words.ts';

/** Where the blocks are to stand. */
const PLACES = ['message', 'form', 'home'] as const;
type Place = (typeof PLACES)[number];

const SETTLES_MS = 400;

const written = (name: SampleName) => JSON.stringify(samples[name], undefined, 2);

/** Blocks as JSON, and beside them as members see them. */
export function Builder() {
  const t = useTranslations('developers.builder');
  const [json, setJson] = useState(() => written('approval'));
  const [sample, setSample] = useState<SampleName | ''>('approval');
  const [place, setPlace] = useState<Place>('message');
  const field = useRef<HTMLTextAreaElement>(null);
  const faultsId = useId();
  const { faults, error, ...result } = useCheck(useSettled(json, SETTLES_MS));
  return (
    <PageBody
      wide
      title={t('title')}
      lead={t('lead')}
      icon={<UpLink to="/developers" label={t('up')} />}
      actions={
        <ButtonAnchor href="/docs" target="_blank">
          {t('reference')}
        </ButtonAnchor>
      }
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          <Select
            label={t('place')}
            value={place}
            onChange={({ target }) => setPlace(PLACES.find((one) => one === target.value) ?? 'message')}
          >
            {PLACES.map((one) => (
              <option key={one} value={one}>
                {t(`places.${one}`)}
              </option>
            ))}
          </Select>
          <Select
            label={t('sample')}
            value={sample}
            onChange={({ target }) => {
              const name = SAMPLES.find((one) => one === target.value);
              if (!name) return;
              setSample(name);
              setJson(written(name));
            }}
          >
            {sample === '' && <option value="">{t('own')}</option>}
            {SAMPLES.map((name) => (
              <option key={name} value={name}>
                {t(`samples.${name}`)}
              </option>
            ))}
          </Select>
          <JsonEditor
            label={t(`json.${place}`)}
            value={json}
            marked={new Set(faults.map(({ line }) => line))}
            describedBy={faultsId}
            field={field}
            onChange={(next) => {
              setJson(next);
              setSample('');
            }}
          />
          <Faults id={faultsId} faults={faults} onOpen={(line) => openLine(field.current, line)} />
          {error}
        </div>
        <Result {...result} place={place} isOld={faults.length > 0} />
      </div>
    </PageBody>
  );
}

/** What the server says of the text; while it has faults, what was shown before stays. */
function useCheck(json: string) {
  const t = useTranslations('developers.builder');
  const failure = useFailureText();
  const query = useQuery(checkQuery(json));
  const [last, setLast] = useState<Checked>();
  useEffect(() => {
    if (query.data) setLast(query.data);
  }, [query.data]);
  const read = readWritten(json);
  const broken: Fault[] = read
    ? []
    : [{ line: jsonLines(json).broken ?? 1, path: '', message: t('notJson') }];
  const faults = read && query.error ? faultsOf(read, query.error) : broken;
  const isOther = query.error !== null && read !== undefined && faults.length === 0;
  return {
    faults,
    checked: query.data ?? last,
    isCurrent: query.data !== undefined,
    text: read?.text,
    words: read?.words ?? {},
    error: isOther && <Notice kind="danger">{failure(query.error)}</Notice>,
  };
}

function Result(props: {
  checked: Checked | undefined;
  /** Whether it is about the text as it is now. */
  isCurrent: boolean;
  /** Of the message. */
  text: string | undefined;
  /** Of the form. */
  words: FormWords;
  place: Place;
  isOld: boolean;
}) {
  const { checked, isCurrent, text, words, place, isOld } = props;
  const t = useTranslations('developers.builder');
  const { data: [application] = [] } = useQuery(applicationsQuery);
  const [last, setLast] = useState<{
    readonly in: Checked;
    readonly pressed: Pressed | { state: Pressed['state'] };
  }>();
  if (!checked) return <div className={styles.column} />;
  const pressed = last?.in === checked ? last.pressed : undefined;
  const shown = application ?? { id: 'preview', name: t('application'), icon: '' };
  const isMessage = place === 'message';
  const differs =
    isMessage && isCurrent && text !== undefined && text !== '' && !sharesWord(text, checked.text);
  return (
    <div className={styles.column}>
      <section className={styles.part} aria-label={t('preview')}>
        <h2 className={styles.label}>{t('preview')}</h2>
        {isOld && <p className={styles.soft}>{t('old')}</p>}
        <BlocksPreview
          blocks={checked.blocks as readonly Block[]}
          application={shown}
          onPress={(pressed) => setLast({ in: checked, pressed })}
          around={
            isMessage
              ? undefined
              : (list, state) =>
                  place === 'home' ? (
                    <div className={styles.home}>{list}</div>
                  ) : (
                    <FormPreview
                      application={shown}
                      words={words}
                      onSubmit={() => setLast({ in: checked, pressed: { state: state() } })}
                    >
                      {list}
                    </FormPreview>
                  )
          }
        />
      </section>
      {differs && <Notice kind="warning">{t('differs')}</Notice>}
      {isMessage && (
        <section className={styles.part} aria-label={t('said')}>
          <h2 className={styles.label}>{t('said')}</h2>
          <p className={styles.soft}>{t('saidHint')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is moved with the keyboard (WCAG 2.1.1) */}
          <pre className={styles.said} tabIndex={0} dir="auto">
            {checked.text}
          </pre>
        </section>
      )}
      <section className={styles.part} aria-label={t('pressed')}>
        <h2 className={styles.label}>{t('pressed')}</h2>
        <p className={styles.soft}>{t('pressedHint')}</p>
        <div role="status">
          {pressed && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
            <pre className={styles.said} tabIndex={0} dir="ltr">
              {JSON.stringify(pressed, undefined, 2)}
            </pre>
          )}
        </div>
      </section>
    </div>
  );
}
