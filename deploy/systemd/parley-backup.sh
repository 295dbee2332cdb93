#!/bin/sh
# A backup of the embedded database, the keys that belong to it, and the uploads. The server may run.
set -eu
program=${PROGRAM:-/opt/parley/build/server/main.js}
umask 077
mkdir -p "$BACKUPS"
copy="$BACKUPS/parley-$(date -u +%Y%m%dT%H%M%SZ).db"
node "$program" backup "$copy"
for key in encryption.key cookie.key; do
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
