-- Signed tree heads: what the operator has committed itself to. The private keys are never here.

set role cairn_owner;

create table ledger.log_key (
  ledger_id int not null,
  verifier_key text not null check (verifier_key <> ''),
  first_used_at timestamptz not null,
  primary key (ledger_id, verifier_key)
);

create table ledger.checkpoint (
  ledger_id int not null,
  size bigint not null check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  signed_at timestamptz not null,
  primary key (ledger_id, size)
);

create trigger log_key_append_only before update or delete or truncate on ledger.log_key
  for each statement execute function ledger.refuse_change();
create trigger checkpoint_append_only before update or delete or truncate on ledger.checkpoint
  for each statement execute function ledger.refuse_change();
alter table ledger.log_key enable always trigger log_key_append_only;
alter table ledger.checkpoint enable always trigger checkpoint_append_only;

grant select on ledger.log_key, ledger.checkpoint to cairn_ledger, cairn_auditor, cairn_backup;
grant insert on ledger.log_key, ledger.checkpoint to cairn_ledger;

reset role;
