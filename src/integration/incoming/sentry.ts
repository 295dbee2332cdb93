import { at, type Fields, fieldsOf, joined, lineOf, linked, strong, textOf } from './payload.ts';

/** Sentry: the webhooks of integrations, and those of its older plugin. */
export function readSentry(payload: Fields): string | undefined {
  return readIntegration(payload) ?? readPlugin(payload);
}

/** https://docs.sentry.io/organization/integrations/integration-platform/webhooks/ */
function readIntegration({ action, data, installation, actor }: Fields): string | undefined {
  if (typeof action !== 'string' || fieldsOf(installation).uuid === undefined) return undefined;
  const { issue, event, error, metric_alert, description_title, description_text, web_url, comment } =
    fieldsOf(data);
  if (metric_alert !== undefined)
    return joined([
      `${action === 'resolved' ? '✅' : '🚨'} ${strong(lineOf(description_title) || `alert ${action}`)}`,
      textOf(description_text),
      linked('', web_url),
    ]);
  const what = fieldsOf(issue ?? event ?? error);
  const title = lineOf(what.title) || lineOf(fieldsOf(what.metadata).value) || lineOf(what.message);
  if (title === '') return undefined;
  const project = lineOf(at(what.project, 'name')) || lineOf(at(what.project, 'slug'));
  return joined([
    `${action === 'resolved' ? '✅' : '🐞'} ${strong(title)}`,
    joined([action, lineOf(what.level), project, lineOf(what.shortId), lineOf(at(actor, 'name'))], ' · '),
    lineOf(what.culprit),
    textOf(comment),
    linked('', what.web_url) || linked('', what.permalink),
  ]);
}

function readPlugin({
  project_name,
  project,
  message,
  culprit,
  level,
  url,
  event,
}: Fields): string | undefined {
  if (typeof project !== 'string' || fieldsOf(event).event_id === undefined) return undefined;
  const title = lineOf(at(event, 'title')) || lineOf(message) || lineOf(at(event, 'metadata', 'value'));
  return joined([
    `🐞 ${strong(title || 'event')}`,
    joined([lineOf(level), lineOf(project_name) || project], ' · '),
    lineOf(culprit),
    linked('', url),
  ]);
}
