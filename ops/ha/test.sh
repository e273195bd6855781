#!/bin/sh
# Kills, pauses and cuts off the primary in turn under load. Then compares the answers that the
# clients received with the ledger. `--help` lists the options.
exec node "$(dirname "$0")/../../local/bootstrap.mjs" failover "$@"
