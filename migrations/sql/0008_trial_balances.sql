-- What every month ended with, signed: a checkpoint of the month's last event, with the sum of each
-- kind of account as its extension lines.

set role cairn_owner;

create table ledger.trial_balance (
  ledger_id int not null,
  month text collate "C" not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  size bigint not null check (size > 0),
  note text not null,
  signed_at timestamptz not null,
  primary key (ledger_id, month)
);

create trigger trial_balance_append_only before update or delete or truncate on ledger.trial_balance
  for each statement execute function ledger.refuse_change();
alter table ledger.trial_balance enable always trigger trial_balance_append_only;

grant select on ledger.trial_balance to cairn_ledger, cairn_auditor, cairn_backup;
grant insert on ledger.trial_balance to cairn_ledger;

reset role;
