-- Where investors are told to pay to, seen by two: what one administrator entered stays hidden until
-- another one shows it. Null: nothing waits.

set role cairn_owner;

alter table platform.payment_option add column changed_by text collate "C";
alter table platform.payment_option add column changed_at timestamptz;
alter table platform.payment_option add constraint payment_option_waiting_check
  check ((changed_by is null) = (changed_at is null) and (changed_by is null or not is_visible));

reset role;
