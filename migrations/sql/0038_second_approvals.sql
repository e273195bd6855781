-- The amount of a first approval, which the second one has to repeat, and the first of two administrators
-- who end an investment.

set role cairn_owner;

alter table ledger.transaction add column first_approved_minor bigint check (first_approved_minor > 0);
alter table ledger.investment add column first_denied_by text collate "C";

-- Reversals that wait for a second administrator are decided already, so `transaction_by_pending` lacks them.
create index transaction_by_first_approval on ledger.transaction (ledger_id, created_at, seq)
  where first_approved_by is not null;

reset role;
