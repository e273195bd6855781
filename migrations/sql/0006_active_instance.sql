-- Where the one active instance of a ledger is reached, so that the others can hand commands on.
-- A hint for speed: that only one writes is the fence's doing, not this table's.

set role cairn_owner;

create table ledger.active_instance (
  ledger_id int not null,
  address text not null,
  claimed_at timestamptz not null,
  primary key (ledger_id)
);
grant select on ledger.active_instance to cairn_ledger, cairn_auditor, cairn_backup;
grant insert, update on ledger.active_instance to cairn_ledger;

reset role;
