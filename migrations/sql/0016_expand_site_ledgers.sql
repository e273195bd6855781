-- scope: site
-- The ledgers of the site. The first one is also in platform.site, and the previous release uses no
-- other. The cursor of a follower of a further ledger is named <follower>@<ledger>, because the
-- previous release needs the names of cursors to be unique.

set role cairn_owner;

create table platform.ledger (
  ledger_id int not null,
  name text not null,
  -- True if new people can be assigned to the ledger.
  is_open boolean not null,
  added_at timestamptz not null,
  constraint ledger_pkey primary key (ledger_id),
  constraint ledger_number_check check (ledger_id between 1 and 1000),
  constraint ledger_name_check check (length(name) between 1 and 60)
);
-- The events of a ledger name people of this site, so a ledger is never removed.
revoke update, delete on platform.ledger from cairn_gateway;
grant update (name, is_open) on platform.ledger to cairn_gateway;
grant select on platform.ledger to cairn_gateway_worker;

insert into platform.ledger (ledger_id, name, is_open, added_at)
  select ledger_id, 'Ledger ' || ledger_id, true, now() from platform.site;

reset role;
