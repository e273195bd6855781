-- Which of the ledgers the people of this site belong to: decided once, while the site is empty.

set role cairn_owner;

create table platform.site (
  id text collate "C" not null primary key check (id = 'site'),
  ledger_id int not null check (ledger_id > 0)
);
revoke update, delete on platform.site from cairn_gateway;
grant select on platform.site to cairn_gateway_worker;
create function platform.site_ledger() returns int language sql stable
  as 'select coalesce((select ledger_id from platform.site), 1)';
grant execute on function platform.site_ledger() to cairn_gateway;

alter table identity.user add column ledger_id int not null default platform.site_ledger();

reset role;
