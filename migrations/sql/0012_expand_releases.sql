-- The releases whose processes use this database. A migration that contracts waits until no older
-- release was seen for a day.

set role cairn_owner;

create table migrations.release_seen (
  -- The role of the process in the database.
  role text collate "C" not null,
  release text collate "C" not null check (release ~ '^\d{1,9}\.\d{1,9}\.\d{1,9}$'),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint release_seen_pkey primary key (role, release)
);
grant select on migrations.release_seen to cairn_backup;

-- A process calls this function at its start and every hour. It has no other right to the table, so
-- it can announce only its own role.
create function migrations.announce_release(announced text) returns void
language sql security definer set search_path = pg_catalog as $$
  insert into migrations.release_seen (role, release, first_seen_at, last_seen_at)
  values (session_user, announced, clock_timestamp(), clock_timestamp())
  on conflict (role, release) do update set last_seen_at = excluded.last_seen_at
$$;
grant usage on schema migrations
  to cairn_ledger, cairn_ledger_worker, cairn_gateway, cairn_gateway_worker;
grant execute on function migrations.announce_release(text)
  to cairn_ledger, cairn_ledger_worker, cairn_gateway, cairn_gateway_worker;

reset role;
