/** The file beside the data that says how to use the archive. */
export function readme({
  version,
  at,
  hasUploads,
}: {
  version: string;
  at: Date;
  hasUploads: boolean;
}): string {
  const uploads = hasUploads
    ? 'files/         the uploads'
    : '               (the uploads are in an S3-compatible store, and not in here)';
  return `A backup of Parley ${version}, made at ${at.toISOString()}

parley.db      the database as a file of SQLite, also of a server with PostgreSQL,
               checked after it was copied
${uploads}
manifest.json  what is in here; at the end, so that it is missing from an archive
               that is not whole

NOT IN HERE: the keys of the server, encryption.key and cookie.key, from its data
folder, or ENCRYPTION_KEY and COOKIE_KEY from its settings. Keep them apart from
this file. Without the encryption key the server does not start on this database.
A new cookie key signs everybody out, and ends the unsubscribe links of sent mails.

Everything that anybody wrote is in here, and can be read by anybody who has it.

To restore:
  1. Stop the server. To restore to PostgreSQL, make an empty database, and let
     DATABASE_URL lead to it.
  2. Put encryption.key and cookie.key into its data folder (DATA_DIR).
  3. In the folder of the program, of the same version or a newer one:
       node bootstrap.cjs restore FILE.zip
     It checks the archive before it changes anything. With --check it only
     checks, and changes nothing.
  4. Start the server.

By hand, instead of step 3: unpack this archive, copy files/ into the data
folder, and run
       node bootstrap.cjs restore parley.db
`;
}
