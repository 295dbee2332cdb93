import { strong } from '#platform/text/index.ts';
import { type Card, type Ending, type Fact, signOf } from './card.ts';
import { at, countOf, type Fields, fieldsOf, joined, lineOf, listOf, prose, textOf } from './payload.ts';
import { itemsOf } from './room.ts';

const MOST_ALERTS = 20;
/** Labels that are in the heading, or say nothing to a reader. */
const QUIET = new Set(['alertname', 'grafana_folder', '__alert_rule_uid__']);
/** Labels that readers look for first. */
const VITAL = ['severity', 'priority', 'environment', 'env'];

/** The webhook of Alertmanager, which Grafana extends: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export function readAlerts(payload: Fields): Card | undefined {
  const alerts = listOf(payload.alerts).map(fieldsOf);
  if (alerts.length === 0 || typeof payload.status !== 'string') return undefined;
  const name = lineOf(at(payload.commonLabels, 'alertname')) || lineOf(at(payload.groupLabels, 'alertname'));
  const count = alerts.length > 1 ? ` (${alerts.length})` : '';
  const heading = `${payload.status.toUpperCase()}: ${name || lineOf(payload.title) || 'alerts'}${count}`;
  const more = alerts.length - Math.min(alerts.length, MOST_ALERTS) + countOf(payload.truncatedAlerts);
  return {
    title: `${signOf(payload.status) || '🔔'} ${strong(heading)}`,
    link: payload.externalURL,
    facts: VITAL.map((label) => vitalOf(label, payload, alerts)).filter(({ value }) => value !== ''),
    cards: [...alerts.slice(0, MOST_ALERTS).map(readAlert), ...(more > 0 ? [{ title: `… ${more}` }] : [])],
  };
}

/** Of all alerts. */
function vitalOf(label: string, payload: Fields, alerts: readonly Fields[]): Fact {
  const all = [payload.commonLabels, ...alerts.map(({ labels }) => labels)].map((labels) =>
    lineOf(at(labels, label)),
  );
  return { name: label, value: joined([...new Set(all)].slice(0, 10), ', ') };
}

const buttonTo = (name: string, url: unknown): Ending => ({ is: 'button', name, url, isBare: true });

function readAlert(alert: Fields): Card {
  const { status, labels, annotations, generatorURL, silenceURL, panelURL, valueString } = alert;
  const { summary, description, message, ...others } = fieldsOf(annotations);
  const named = itemsOf(Object.entries(fieldsOf(labels)))
    .filter(([name]) => !QUIET.has(name))
    .map(([name, value]) => `${name}=${lineOf(value)}`)
    .join(', ');
  const said = joined([textOf(summary), textOf(description), textOf(message)]);
  const isAddress = (value: unknown) => /^https?:\/\//.test(textOf(value));
  return {
    title: `${signOf(textOf(status)) || '🔔'} ${said || named}`,
    text: joined([said === '' ? '' : named, lineOf(valueString)]),
    fields: itemsOf(Object.entries(others))
      .filter(([name, value]) => !name.startsWith('__') && textOf(value) !== '')
      .map(([name, value]) => ({ name: prose(name), value: textOf(value) })),
    endings: [
      isAddress(panelURL) ? buttonTo('Panel', panelURL) : buttonTo('Source', generatorURL),
      buttonTo('Silence', silenceURL),
    ],
  };
}
