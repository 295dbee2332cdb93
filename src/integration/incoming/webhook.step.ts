import type { Clock } from '#platform/ids.ts';
import { newAuthor, renameAuthor, setAuthorPicture } from '../../people/users/index.ts';
import type { Step } from '../../stewardship/erasure/index.ts';
import { deleteWebhook, listWebhooks } from './webhook.store.ts';

/** Ends the incoming webhooks of a team, and takes their names and pictures away. There are few of them. */
export const teamWebhooks = (clock: Clock): Step => ({
  erase: async (tx, teamId) => {
    for (const { id, author_id } of await listWebhooks.all(tx, { teamId })) {
      const now = clock();
      await renameAuthor.run(tx, newAuthor({ id: author_id, name: 'Webhook', now }));
      await setAuthorPicture(tx, { id: author_id, now });
      await deleteWebhook.run(tx, { id });
    }
    return undefined;
  },
});
