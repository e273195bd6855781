#!/bin/sh
# Kills, pauses and cuts off the primary in turn under load, and compares what the clients were
# answered with the ledger. `--help` lists the options.
exec node "$(dirname "$0")/../../local/bootstrap.mjs" failover "$@"
