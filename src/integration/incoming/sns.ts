import { DEEPEST } from '#api';
import { tryJson } from './lenient-json.ts';
import type { Fields } from './payload.ts';
import { isDeep } from './unwrapped.ts';

/** Amazon SNS puts what another service says into a text, or asks for the address to be opened once. */
export interface FromSns {
  readonly subject: unknown;
  /** Parsed, if it is JSON. */
  readonly message: unknown;
  /** To be opened by somebody, so that messages come. */
  readonly confirm: unknown;
}

/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export function readSns({ Type, TopicArn, Subject, Message, SubscribeURL }: Fields): FromSns | undefined {
  if (typeof Type !== 'string' || typeof TopicArn !== 'string' || typeof Message !== 'string')
    return undefined;
  const found = /^\s*[{[]/.test(Message) ? tryJson(Message) : undefined;
  // The text was not measured with the body. What lies too deep in it is shown as it came.
  const inner = found && !isDeep(found.value, DEEPEST) ? found : undefined;
  return {
    subject: Subject,
    message: inner?.value ?? Message,
    confirm: Type === 'SubscriptionConfirmation' ? SubscribeURL : undefined,
  };
}
