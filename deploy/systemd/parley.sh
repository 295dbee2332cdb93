#!/bin/sh
# Runs a command as the user of parley.service, in its folder and with its settings: parley doctor
exec systemd-run --quiet --collect --wait --pty --pipe \
  --property=User=parley --property=Group=parley --property=WorkingDirectory=/var/lib/parley \
  --property=Environment=DATA_DIR=/var/lib/parley --property=EnvironmentFile=-/etc/parley/parley.env \
  --property=UMask=0077 \
  /usr/bin/node /opt/parley/build/server/main.js "$@"
