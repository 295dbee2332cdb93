import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { changePushSettings, pushSettingsQuery } from '../api/push-settings.ts';
import { membershipsQuery } from '../api/queries.ts';
import type { PushSettings } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Select, Switch, TextField } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './account.module.css';
import { Choices } from './choices.tsx';

const CONTENTS = ['all', 'sender', 'none'] as const;
const LEVELS = ['all', 'mentions', 'nothing'] as const;
const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

interface Props {
  readonly settings: PushSettings;
  readonly save: (change: Partial<PushSettings>) => void;
}

/** Settings of pushes to all devices of the reader. */
export function PushChoices() {
  return (
    <Loaded query={useQuery(pushSettingsQuery)} rows={6}>
      {(saved) => <Forms saved={saved} />}
    </Loaded>
  );
}

function Forms({ saved }: { readonly saved: PushSettings }) {
  const failure = useFailureText();
  const [unsaved, setUnsaved] = useState<readonly Partial<PushSettings>[]>([]);
  const [refusal, setRefusal] = useState<Error>();
  const save = useMutation({
    mutationFn: changePushSettings,
    // Requests of two quick changes are answered in order.
    scope: { id: 'push' },
    onError: setRefusal,
    onSettled: (_data, _error, change) => setUnsaved((changes) => changes.filter((one) => one !== change)),
  });
  const props: Props = {
    // A change is shown from the click on; a refused one goes back to what is saved.
    settings: unsaved.reduce<PushSettings>(changed, saved),
    save: (change) => {
      setRefusal(undefined);
      setUnsaved((changes) => [...changes, change]);
      save.mutate(change);
    },
  };
  return (
    <>
      {refusal && <Notice kind="danger">{failure(refusal)}</Notice>}
      <Pause {...props} />
      <What {...props} />
      <Quiet {...props} />
    </>
  );
}

/** Settings with a change of some of them; a change of teams names only those that change. */
function changed(settings: PushSettings, change: Partial<PushSettings>): PushSettings {
  const { teams = [] } = change;
  const others = settings.teams.filter(({ team }) => teams.every((one) => one.team !== team));
  return { ...settings, ...change, teams: [...others, ...teams] };
}

const HOUR_S = 3600;

/** Eight in the morning of the next day, in the reader's own zone. */
function tomorrow(): number {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  at.setHours(8, 0, 0, 0);
  return at.getTime() / 1000;
}

function Pause({ settings, save }: Props) {
  const t = useTranslations('account.push');
  const { paused, paused_until: until } = settings;
  const pause = (to: number | null) => save({ paused: true, paused_until: to });
  if (paused) {
    return (
      <Card title={t('pause')}>
        <p>{until === null ? t('paused') : t.rich('pausedUntil', { time: () => <Time at={until} /> })}</p>
        <div className={styles.actions}>
          <Button look="primary" onClick={() => save({ paused: false, paused_until: null })}>
            {t('resume')}
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card title={t('pause')} lead={t('pauseLead')}>
      <div className={styles.actions}>
        <Button onClick={() => pause(Date.now() / 1000 + HOUR_S)}>{t('hour')}</Button>
        <Button onClick={() => pause(tomorrow())}>{t('tomorrow')}</Button>
        <Button onClick={() => pause(null)}>{t('forever')}</Button>
      </div>
    </Card>
  );
}

function What({ settings, save }: Props) {
  const t = useTranslations('account.push');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const levels = LEVELS.map((level) => (
    <option key={level} value={level}>
      {t(`level.${level}`)}
    </option>
  ));
  const levelOf = (team: string) => settings.teams.find((one) => one.team === team)?.level;
  return (
    <Card title={t('what')} lead={t('whatLead')}>
      <h3>{t('content.title')}</h3>
      <Choices
        label={t('content.title')}
        name="push-content"
        chosen={settings.content}
        onChoose={(content) => save({ content })}
        choices={CONTENTS.map((value) => ({ value, label: t(`content.${value}`) }))}
      />
      <Switch label={t('direct')} checked={settings.direct} onChange={(direct) => save({ direct })} />
      <Switch
        label={t('reactions')}
        checked={settings.reactions}
        onChange={(reactions) => save({ reactions })}
      />
      <Switch
        label={t('mailToo')}
        hint={t('mailTooHint')}
        checked={settings.mail_too}
        onChange={(mail_too) => save({ mail_too })}
      />
      {memberships.map(({ team }) => (
        <Select
          key={team.id}
          label={team.name}
          value={levelOf(team.id) ?? settings.team_default}
          onChange={({ target }) =>
            save({ teams: [{ team: team.id, level: target.value as (typeof LEVELS)[number] }] })
          }
        >
          {levels}
        </Select>
      ))}
    </Card>
  );
}

/** A Monday, to name the days of the week from. */
const MONDAY = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

function Quiet({ settings, save }: Props) {
  const t = useTranslations('account.push');
  const { quiet_from: from, quiet_to: to, quiet_days: days } = settings;
  // Quiet hours are those of the device on which they were chosen last.
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const nameOf = (day: number) =>
    new Intl.DateTimeFormat(document.documentElement.lang, { weekday: 'long', timeZone: 'UTC' }).format(
      MONDAY + (day - 1) * DAY_MS,
    );
  const toggle = (day: number) =>
    save({
      quiet_days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day].sort(),
      time_zone,
    });
  const isOn = from !== null && to !== null;
  // Until then, the server's zone means nothing.
  const zone = isOn || days.length > 0 ? settings.time_zone : time_zone;
  return (
    <Card title={t('quiet')} lead={t('quietLead', { zone })}>
      <Switch
        label={t('quietHours')}
        checked={isOn}
        onChange={(on) => save({ quiet_from: on ? '20:00' : null, quiet_to: on ? '08:00' : null, time_zone })}
      />
      {isOn && (
        <div className={styles.two}>
          <TextField
            label={t('from')}
            type="time"
            required
            value={from}
            onChange={({ target }) => target.value && save({ quiet_from: target.value, time_zone })}
          />
          <TextField
            label={t('to')}
            type="time"
            required
            value={to}
            onChange={({ target }) => target.value && save({ quiet_to: target.value, time_zone })}
          />
        </div>
      )}
      <h3>{t('quietDays')}</h3>
      <p className={styles.soft}>{t('quietDaysHint')}</p>
      <fieldset className={styles.choices} aria-label={t('quietDays')}>
        {DAYS.map((day) => (
          <label key={day} className={styles.choice}>
            <input type="checkbox" checked={days.includes(day)} onChange={() => toggle(day)} />
            {nameOf(day)}
          </label>
        ))}
      </fieldset>
    </Card>
  );
}
