-- The keys of people and the list of deleted people. These tables have a schema of their own,
-- without references to other schemas. They can therefore be backed up and restored separately from
-- the data that the keys encrypt.

set role cairn_owner;

create schema person_keys;
grant usage on schema person_keys to cairn_gateway, cairn_gateway_worker, cairn_key_backup;

-- The key that encrypts the documents of a person and the texts about this person. The key is
-- deleted with the person, which makes the documents and texts unreadable.
create table person_keys.key (
  user_id text collate "C" not null primary key,
  key bytea not null check (octet_length(key) = 32),
  created_at timestamptz not null
);
grant select, insert, delete on person_keys.key to cairn_gateway;
grant select, insert on person_keys.key to cairn_gateway_worker;

-- The list of deleted people. A restored backup may still contain some of these people; they are
-- then deleted again.
create table person_keys.erasure (
  user_id text collate "C" not null primary key,
  erased_at timestamptz not null
);
grant select, insert on person_keys.erasure to cairn_gateway;
grant select on person_keys.erasure to cairn_gateway_worker;

grant select on all tables in schema person_keys to cairn_key_backup;

-- Rows cannot be changed or removed, even by the owner of the table.
create function person_keys.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'person_keys.erasure is append-only' using errcode = 'restrict_violation';
end
$$;
create trigger erasure_append_only before update or delete on person_keys.erasure
  for each row execute function person_keys.refuse_change();
create trigger erasure_no_truncate before truncate on person_keys.erasure
  for each statement execute function person_keys.refuse_change();
alter table person_keys.erasure enable always trigger erasure_append_only;
alter table person_keys.erasure enable always trigger erasure_no_truncate;

reset role;
