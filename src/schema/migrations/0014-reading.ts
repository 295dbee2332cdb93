import type { Migration } from '#platform/db/index.ts';

export const reading: Migration = {
  name: '0014-reading',
  up: ({ uuid }, dialect) => [
    // Which replies of a team a member has read in one go, including those from before they joined.
    `ALTER TABLE memberships ADD COLUMN all_read_up_to ${uuid}`,
    `UPDATE memberships SET all_read_up_to = ${lowestIdAt(dialect, 'memberships.created_at')}`,
    `UPDATE memberships SET all_read_up_to = users.all_read_up_to FROM users
      WHERE users.id = memberships.user_id AND users.all_read_up_to > memberships.all_read_up_to`,
    // A team's erasure finds what former members left behind.
    'CREATE INDEX message_states_by_message ON message_states (message_id)',
    // The words by which people are found; a server that starts makes them for those who have none.
    'ALTER TABLE users ADD COLUMN search_key text',
    'CREATE INDEX users_without_search_key ON users (id) WHERE search_key IS NULL',
    // Search folds more than before: what has such characters is indexed again.
    `INSERT INTO message_index_queue (message_id) SELECT id FROM messages
      WHERE deleted_at IS NULL AND ${foldsDifferently(dialect)} ON CONFLICT DO NOTHING`,
    // Where there is no mail server, mails that quote messages are not kept.
    "DELETE FROM mails WHERE kind = 'messages' AND status = 'kept'",
  ],
};

/** RFC 9562 §5.7: an id begins with its time in milliseconds. */
function lowestIdAt(dialect: 'sqlite' | 'postgres', time: string): string {
  const hex = dialect === 'sqlite' ? `printf('%012x', ${time})` : `lpad(to_hex(${time}), 12, '0')`;
  const text = `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9, 4) || '-7000-8000-000000000000'`;
  return dialect === 'sqlite' ? text : `CAST(${text} AS uuid)`;
}

/** Sharp s, dotless i, final sigma, plus and number signs, unseen characters, Hebrew and Arabic. */
const CHARACTERS = '+#ßẞıς\u00ad\u200b-\u200d\u2060\ufeff\u0591-\u05c7\u0610-\u06ed';

function foldsDifferently(dialect: 'sqlite' | 'postgres'): string {
  const columns = ['text', 'attachments_json', 'mentions_json'];
  const fits = (column: string) =>
    dialect === 'sqlite' ? `${column} GLOB '*[${CHARACTERS}]*'` : `${column} ~ '[${CHARACTERS}]'`;
  return `(${columns.map(fits).join(' OR ')})`;
}
