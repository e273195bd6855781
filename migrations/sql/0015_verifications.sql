-- Who had the whole log verified when, and what was found. Only a record: nothing is decided by it.

set role cairn_owner;

create table ledger.verification (
  ledger_id int not null,
  id text collate "C" not null,
  requested_by text collate "C" not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- Trusted without reading: everything under the checkpoint of so many events.
  since bigint not null check (since >= 0),
  events bigint,
  postings bigint,
  checkpoints int,
  first_bad_seq bigint,
  problems jsonb,
  primary key (ledger_id, id)
);
grant select, insert on ledger.verification to cairn_ledger;
grant update (finished_at, events, postings, checkpoints, first_bad_seq, problems)
  on ledger.verification to cairn_ledger;
grant select on ledger.verification to cairn_auditor, cairn_backup;

reset role;
