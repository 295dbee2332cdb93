import type { Tx } from '#platform/db/index.ts';
import type { ApplicationRow } from '#schema';
import type { AuditAction, NewAuditEntry } from '../../stewardship/audit/index.ts';

/** A fact to which other domains react in the same transaction; joined in src/app. */
export interface ApplicationFact {
  /**
   * Its icon was set or changed; the links that it asks for have changed; its credentials are good no longer, at once;
   * it proves otherwise than before who it is; it is being deleted, and still has its installations; others may act for
   * it than its teams agreed to; or it sleeps, or wakes.
   */
  readonly kind:
    | 'icon_changed'
    | 'links_changed'
    | 'credentials_ended'
    | 'method_changed'
    | 'deleted'
    | 'changed_hands'
    | 'suspended'
    | 'woken';
  readonly application: ApplicationRow;
}
export type ApplicationListener = (tx: Tx, fact: ApplicationFact) => Promise<void>;

/** The new key of a webhook, for the owner who takes an application over. */
export interface NewWebhookKey {
  readonly subscription: string;
  readonly key: string;
}

/** Notes in the audit log what was done to an application. */
export type RecordChange = (
  tx: Tx,
  action: Extract<AuditAction, `application.${string}`>,
  id: string,
  detail?: NonNullable<NewAuditEntry['detail']>,
) => Promise<void>;
