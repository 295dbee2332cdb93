import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck, ExternalLink } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import type { Application } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { OpenApplicationLink } from '../design/open-application.tsx';
import { Time } from '../design/time.tsx';
import { PUBLIC } from './application-fields.tsx';
import { botSnippetOf, isBot } from './bot-snippets.ts';
import styles from './developers.module.css';
import { administers, InstallLinks } from './install-links.tsx';
import { publicSnippetOf } from './public-snippets.ts';
import { installationsQuery, isDone, type ProgressStep, type StepName } from './queries.ts';
import { type Snippet, snippetOf } from './snippets.ts';
import { TestCallback } from './test-callback.tsx';

/** The steps of an integration. The first open one is expanded. */
export function Checklist(props: { application: Application; steps: readonly ProgressStep[] }) {
  const { application, steps } = props;
  const t = useTranslations('developers.checklist');
  const next = steps.find((step) => !isDone(step));
  const done = steps.filter(isDone).length;
  const team = useTeam(application);
  return (
    <>
      <p role="status" className={styles.soft}>
        {next ? t('progress', { done, all: steps.length }) : t.rich('complete', { guide: guideLink })}
      </p>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Step key={step.step} step={step} isNext={step === next} application={application} team={team} />
        ))}
      </ol>
    </>
  );
}

const guideLink = (text: ReactNode) => (
  <a href="/docs/guides/developers" target="_blank" rel="noopener">
    {text}
  </a>
);

/** A team for the examples: one that has it installed, else one that could install it. */
function useTeam({ id }: Application): string {
  const { data: installations } = useQuery(installationsQuery(id));
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const installed = installations?.find(({ status }) => status === 'active')?.team.id;
  return installed ?? (memberships.find(administers) ?? memberships[0])?.team.id ?? 'TEAM_ID';
}

function Step(props: { step: ProgressStep; isNext: boolean; application: Application; team: string }) {
  const { step, isNext, application, team } = props;
  const t = useTranslations('developers.checklist');
  const textOf = useStepText(application);
  const ofSecret = isBot(application) ? botSnippetOf : snippetOf;
  const snippet = application.token_endpoint_auth_method === PUBLIC ? publicSnippetOf : ofSecret;
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // A step in use stays expanded after it is done, since it shows the result.
    if (details.current && (isNext || !details.current.contains(document.activeElement)))
      details.current.open = isNext;
  }, [isNext]);
  const Icon = isDone(step) ? CircleCheck : Circle;
  return (
    <li>
      <details ref={details} className={styles.step} data-done={isDone(step)}>
        <summary>
          <Icon size={20} aria-hidden />
          <span className={styles.stepTitle}>{t(`${step.step}.title`)}</span>
          {step.done_at === null ? (
            <span className={styles.soft}>{t(isNext ? 'next' : 'open')}</span>
          ) : (
            <span className={styles.soft}>
              <span className="visually-hidden">{t('done')} </span>
              <Time at={step.done_at} />
            </span>
          )}
        </summary>
        <div className={styles.stepBody}>
          <p>{textOf(step.step)}</p>
          <StepAction step={step.step} application={application} team={team} />
          <Lines snippet={snippet(step.step, application, team)} name={t(`${step.step}.title`)} />
        </div>
      </details>
    </li>
  );
}

/** The text of a step: less is to be done without a secret, without calls, and where nobody opens the application. */
function useStepText(application: Application) {
  const t = useTranslations('developers.checklist');
  return (step: StepName) => {
    if (application.token_endpoint_auth_method === PUBLIC) {
      const own = PUBLIC_STEPS.find((one) => one === step);
      return own ? t(`public.${own}`) : t(`${step}.text`);
    }
    if (step === 'installed' && application.preinstall_url === null) return t('bot.installed');
    const own = isBot(application) && BOT_STEPS.find((one) => one === step);
    return own ? t(`bot.${own}`) : t(`${step}.text`);
  };
}

const PUBLIC_STEPS = ['registered', 'installed', 'code_exchanged', 'message_posted'] as const;
const BOT_STEPS = ['token_used', 'message_posted'] as const;

/** The actions of a step that need no code. */
function StepAction(props: { step: StepName; application: Application; team: string }) {
  const { step, application, team } = props;
  const t = useTranslations('developers.checklist');
  const { data: installations = [] } = useQuery(installationsQuery(application.id));
  if (step === 'callback_answered') return <TestCallback application={application.id} />;
  if (step === 'installed') return <InstallLinks application={application} />;
  const isInstalled = installations.some(({ status }) => status === 'active');
  if (step === 'code_exchanged' && isInstalled && application.openable) {
    return (
      <div>
        <OpenApplicationLink application={application.id} team={team}>
          <ExternalLink size={16} aria-hidden />
          {t('openApplication')}
        </OpenApplicationLink>
      </div>
    );
  }
  if (step === 'token_used' || step === 'message_posted') {
    const asks = step === 'token_used' && !isBot(application);
    const route = asks ? 'GET /v1/users/me' : 'POST /v1/messages';
    return (
      <div>
        <Link to="/developers/try" search={{ route, application: application.id }}>
          {t('tryIt')}
        </Link>
      </div>
    );
  }
  return null;
}

function Lines({ snippet, name }: { snippet: Snippet; name: string }) {
  const t = useTranslations('developers.checklist');
  const [language, setLanguage] = useState<keyof Snippet>('javascript');
  return (
    <div className={styles.group}>
      <fieldset className={styles.row}>
        <legend className="visually-hidden">{t('language')}</legend>
        {(['javascript', 'curl'] as const).map((one) => (
          <Button
            key={one}
            small
            look={one === language ? 'secondary' : 'quiet'}
            aria-pressed={one === language}
            onClick={() => setLanguage(one)}
          >
            {t(one)}
          </Button>
        ))}
      </fieldset>
      <Copyable text={snippet[language]} name={name} />
    </div>
  );
}
