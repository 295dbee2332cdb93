import { eventSchemas, nameOfKind } from './event.schema.ts';
import { type HeardKind, heardCatalogue, heardKinds, scopesText } from './kinds.ts';

const PATH = '/v1/applications/{application}/subscriptions/{subscription}/stream';

const ref = (...names: string[]) => ({ $ref: `#/${names.join('/')}` });

/** One message of each kind, by its name. */
const forKinds = <T>(make: (kind: HeardKind) => T): Record<string, T> =>
  Object.fromEntries(heardKinds.map((kind) => [nameOfKind(kind), make(kind)]));

/** The events that applications hear, as AsyncAPI 3 describes them: what is sent, on which ways. */
export function eventsDocument(version: string): object {
  const messages = forKinds((kind) => ref('components', 'messages', nameOfKind(kind)));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley: events for applications',
      version,
      description:
        'What applications hear by their subscriptions. Subscribing, acknowledging and reading by pages are requests: ' +
        'openapi.json describes them.',
    },
    defaultContentType: 'application/json',
    channels: {
      stream: {
        address: PATH,
        description:
          'Server-sent events: each has its `id`, its kind as `event`, and the payload as `data`. It begins with ' +
          '`ready` or `reset`.',
        parameters: {
          application: { description: 'The id of the application' },
          subscription: { description: 'The id of the subscription' },
        },
        messages,
      },
      webhook: {
        address: null,
        description:
          'The address of the subscription’s webhook. With a batch above 1 the body is a list of payloads.',
        messages,
      },
    },
    operations: {
      sendToStream: {
        action: 'send',
        channel: ref('channels', 'stream'),
        summary: 'Send events to the streams of a group, which share the teams',
        security: [ref('components', 'securitySchemes', 'basic')],
        bindings: { http: { method: 'GET' } },
      },
      sendToWebhook: {
        action: 'send',
        channel: ref('channels', 'webhook'),
        summary: 'Call a webhook with events, signed as Standard Webhooks says',
        bindings: { http: { method: 'POST' } },
      },
    },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'Client id and client secret' },
      },
      messages: forKinds(messageOf),
      messageTraits: { signed: { headers: SIGNED } },
      schemas: eventSchemas,
    },
  };
}

const SIGNED = {
  type: 'object',
  description: 'Of calls to webhooks',
  properties: {
    'webhook-id': { type: 'string', description: 'The id of the event; of a list, that of the call' },
    'webhook-timestamp': { type: 'string', description: 'When the call was signed, in Unix seconds' },
    'webhook-signature': {
      type: 'string',
      description: '`v1,` and the signature; during a rotation two of them',
    },
  },
};

function messageOf(kind: HeardKind): object {
  const { when, scopes } = heardCatalogue[kind] as (typeof heardCatalogue)[string];
  return {
    name: kind,
    title: kind,
    summary: when,
    ...(scopes && { description: `Needs the scope ${scopesText({ scopes })}.` }),
    traits: [ref('components', 'messageTraits', 'signed')],
    payload: ref('components', 'schemas', `${nameOfKind(kind)}Event`),
  };
}
