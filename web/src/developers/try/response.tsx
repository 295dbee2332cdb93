import { useEffect, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Copyable } from '../../design/copy.tsx';
import { Notice } from '../../design/notice.tsx';
import { Badge, Card } from '../../design/page.tsx';
import { pretty } from '../pretty.ts';
import type { Route } from './openapi.ts';
import type { Sent } from './request.ts';
import styles from './try.module.css';

/** What the server answered; an error is explained. */
export function Response({ route, sent }: { route: Route; sent: Sent }) {
  const t = useTranslations('developers.try');
  const format = useFormatter();
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer comes into sight
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [sent]);
  const { status, milliseconds, headers, text, type, bytes } = sent;
  const ok = status >= 200 && status < 400;
  return (
    <div ref={place}>
      <Card title={t('response')}>
        <div className={styles.row} role="status">
          <Badge kind={ok ? 'success' : 'danger'}>{status === 0 ? t('redirected') : status}</Badge>
          <span className={styles.soft}>{t('took', { milliseconds })}</span>
          <span className={styles.soft}>{t('size', { bytes: format.number(bytes) })}</span>
        </div>
        {!ok && <Explained route={route} text={text ?? ''} />}
        <dl className={styles.headers}>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {text === undefined && <p className={styles.soft}>{t('noText', { type })}</p>}
        {text !== undefined && text !== '' && <Copyable text={pretty(text)} name={t('response')} />}
      </Card>
    </div>
  );
}

interface Problem {
  readonly code: number;
  readonly message: string;
  readonly reason?: string;
}

function Explained({ route, text }: { route: Route; text: string }) {
  const t = useTranslations('developers.try');
  const problems = problemsOf(text);
  if (problems.length === 0) return null;
  return (
    <Notice kind="danger">
      <ul>
        {problems.map(({ code, message, reason }) => (
          <li key={`${code} ${reason}`}>
            <strong>{code}</strong> {reason !== undefined && <code>{reason}</code>} {message}
            {route.errors[code] !== undefined && <p>{route.errors[code]}</p>}
          </li>
        ))}
      </ul>
      <a href="/docs" target="_blank" rel="noopener">
        {t('allErrors')}
      </a>
    </Notice>
  );
}

function problemsOf(text: string): Problem[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: Problem[] };
    return Array.isArray(errors) ? errors : [];
  } catch {
    return [];
  }
}
