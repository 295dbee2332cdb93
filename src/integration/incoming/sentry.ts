import { strong } from '#platform/text/index.ts';
import { type Card, signOf } from './card.ts';
import { at, type Fields, fieldsOf, joined, lineOf, textOf } from './payload.ts';
import { vitalsOf } from './vitals.ts';

/** Sentry: the webhooks of integrations, and those of its older plugin. */
export function readSentry(payload: Fields): Card | undefined {
  return readIntegration(payload) ?? readPlugin(payload);
}

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
function readIntegration(payload: Fields): Card | undefined {
  const { action, data, installation, actor } = payload;
  if (typeof action !== 'string' || fieldsOf(installation).uuid === undefined) return undefined;
  const { issue, event, error, metric_alert, description_title, description_text, web_url, comment } =
    fieldsOf(data);
  if (metric_alert !== undefined) {
    const title = `${action === 'resolved' ? '✅' : signOf(action) || '🚨'} ${strong(lineOf(description_title) || 'metric alert')} ${action}`;
    return {
      title,
      link: web_url,
      facts: vitalsOf(fieldsOf(data), title).filter(({ value }) => !/^\d+$/.test(value)),
      text: textOf(description_text),
    };
  }
  const what = fieldsOf(issue ?? event ?? error);
  const title = lineOf(what.title) || lineOf(fieldsOf(what.metadata).value) || lineOf(what.message);
  if (title === '') return undefined;
  const project = lineOf(at(what.project, 'name')) || lineOf(at(what.project, 'slug'));
  const author = joined(
    [action, lineOf(what.level), project, lineOf(what.shortId), lineOf(at(actor, 'name'))],
    ' · ',
  );
  return {
    title: `${action === 'resolved' ? '✅' : '🐞'} ${strong(title)}`,
    color: action === 'resolved' ? undefined : colorOf(what.level),
    link: textOf(what.web_url) || what.permalink,
    author,
    facts: vitalsOf(what, author),
    text: joined([
      lineOf(what.culprit),
      lineOf(fieldsOf(data).triggered_rule) && `rule: ${lineOf(fieldsOf(data).triggered_rule)}`,
      textOf(comment),
    ]),
  };
}

function readPlugin({
  project_name,
  project,
  message,
  culprit,
  level,
  url,
  event,
}: Fields): Card | undefined {
  if (typeof project !== 'string' || fieldsOf(event).event_id === undefined) return undefined;
  const title = lineOf(at(event, 'title')) || lineOf(message) || lineOf(at(event, 'metadata', 'value'));
  const author = joined([lineOf(level), lineOf(project_name) || project], ' · ');
  return {
    title: `🐞 ${strong(title || 'event')}`,
    color: colorOf(level),
    link: url,
    author,
    facts: vitalsOf({ environment: at(event, 'environment') }, author),
    text: lineOf(culprit),
  };
}

const colorOf = (level: unknown): string | undefined =>
  ({ fatal: 'danger', error: 'danger', warning: 'warning' })[lineOf(level)];
