/**
 * The condition on `pg_stat_activity` that a session is a client's of this database. A role without pg_read_all_stats sees no type of
 * the sessions of others; PostgreSQL's own workers have no user.
 */
export const IS_CLIENT = `datname = current_database()
    AND (backend_type = 'client backend' OR backend_type IS NULL AND usesysid IS NOT NULL)`;
