#!/bin/sh
# A backup of the embedded database, the keys that belong to it, and the uploads. The server may run.
set -eu
program=${PROGRAM:-/opt/parley/build/server/main.js}
umask 077
mkdir -p "$BACKUPS"
stamp=$(date -u +%Y%m%dT%H%M%SZ)
copy="$BACKUPS/parley-$stamp.db"
node "$program" backup "$copy"
# After "keys rotate" the copies of earlier nights need the former key.
if [ -f "$DATA_DIR/encryption.key" ] && [ -f "$BACKUPS/encryption.key" ] &&
  [ "$(cat "$DATA_DIR/encryption.key")" != "$(cat "$BACKUPS/encryption.key")" ]; then
  cp -p "$BACKUPS/encryption.key" "$BACKUPS/encryption.key.until-$stamp"
fi
# A copy that is made before a killed "keys rotate" goes on needs the next key as well.
rm -f "$BACKUPS/encryption.key.next"
for key in encryption.key encryption.key.next cookie.key; do
  if [ -f "$DATA_DIR/$key" ]; then cp -p "$DATA_DIR/$key" "$BACKUPS/$key"; fi
done
# After the database, so that the copy has every file that it names. A stored file never changes.
# What still arrives is in "incoming", and no message names it.
for part in "$DATA_DIR"/files/*; do
  if [ -e "$part" ] && [ "$part" != "$DATA_DIR/files/incoming" ]; then
    mkdir -p "$BACKUPS/files"
    cp -Rup "$part" "$BACKUPS/files/"
  fi
done
find "$BACKUPS" -maxdepth 1 -name 'parley-*.db' -mtime "+$KEPT_DAYS" -delete
