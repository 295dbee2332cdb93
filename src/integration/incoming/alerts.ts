import {
  at,
  countOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  linked,
  listOf,
  signIn,
  strong,
  textOf,
} from './payload.ts';

const SIGNS: Readonly<Record<string, string>> = { firing: '🔥', resolved: '✅', pending: '⏳' };
const MOST_ALERTS = 20;
/** Labels that are in the heading, or say nothing to a reader. */
const QUIET = new Set(['alertname', 'grafana_folder', '__alert_rule_uid__']);

/** The webhook of Alertmanager, which Grafana extends: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export function readAlerts(payload: Fields): string | undefined {
  const alerts = listOf(payload.alerts).map(fieldsOf);
  if (alerts.length === 0 || typeof payload.status !== 'string') return undefined;
  const name = lineOf(at(payload.commonLabels, 'alertname')) || lineOf(at(payload.groupLabels, 'alertname'));
  const count = alerts.length > 1 ? ` (${alerts.length})` : '';
  const heading = `${payload.status.toUpperCase()}: ${name || lineOf(payload.title) || 'alerts'}${count}`;
  const shown = alerts.slice(0, MOST_ALERTS).map(readAlert);
  const more = alerts.length - shown.length + countOf(payload.truncatedAlerts);
  return joined(
    [
      linked(`${signOf(payload.status)} ${strong(heading)}`, payload.externalURL),
      ...shown,
      more > 0 && `… ${more}`,
    ],
    '\n\n',
  );
}

const signOf = (status: unknown) => signIn(SIGNS, textOf(status).toLowerCase()) ?? '🔔';

function readAlert({
  status,
  labels,
  annotations,
  generatorURL,
  silenceURL,
  panelURL,
  valueString,
}: Fields): string {
  const { summary, description, message } = fieldsOf(annotations);
  const named = Object.entries(fieldsOf(labels))
    .filter(([name]) => !QUIET.has(name))
    .map(([name, value]) => `${name}=${lineOf(value)}`);
  return joined([
    `${signOf(status)} ${joined([textOf(summary), textOf(description), textOf(message)], '\n') || named.join(', ')}`,
    textOf(summary) + textOf(description) + textOf(message) === '' ? '' : named.join(', '),
    lineOf(valueString),
    linked('', panelURL) || linked('', generatorURL),
    linked('', silenceURL),
  ]);
}
