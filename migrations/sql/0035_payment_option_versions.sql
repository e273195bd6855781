-- Where people were told to pay to, at any time: a deposit keeps the details of its moment, however the
-- option is edited after it.

set role cairn_owner;

create table platform.payment_option_version (
  payment_option_id text collate "C" not null references platform.payment_option (id),
  valid_from timestamptz not null,
  bank text not null,
  account_number text not null,
  extra text,
  primary key (payment_option_id, valid_from)
);
revoke update, delete on platform.payment_option_version from cairn_gateway;

insert into platform.payment_option_version (payment_option_id, valid_from, bank, account_number, extra)
select id, created_at, bank, account_number, extra from platform.payment_option;

-- By the database: no way to change an option can forget it.
create function platform.keep_payment_option_version() returns trigger language plpgsql as $$
begin
  insert into platform.payment_option_version (payment_option_id, valid_from, bank, account_number, extra)
  values (new.id, case tg_op when 'INSERT' then new.created_at else clock_timestamp() end,
    new.bank, new.account_number, new.extra);
  return null;
end
$$;
grant execute on function platform.keep_payment_option_version() to cairn_gateway;
create trigger payment_option_added after insert on platform.payment_option
  for each row execute function platform.keep_payment_option_version();
create trigger payment_option_led_elsewhere after update on platform.payment_option
  for each row when ((old.bank, old.account_number, old.extra)
    is distinct from (new.bank, new.account_number, new.extra))
  execute function platform.keep_payment_option_version();

reset role;
