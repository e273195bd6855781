-- Every statement of the services reads or writes a handful of rows. Compiling one because a table has
-- grown large takes longer than running it.
alter role cairn_ledger set jit = off;
alter role cairn_gateway set jit = off;
alter role cairn_ledger_worker set jit = off;
alter role cairn_gateway_worker set jit = off;
