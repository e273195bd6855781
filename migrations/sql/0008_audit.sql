-- The audit log of the gateway. It is append-only, and its rows form a hash chain that is sealed in
-- the ledger.

set role cairn_owner;

-- A privileged act has two rows: its attempt, which is committed before the act, and its result. A
-- missing result means that the process ended before it could write the row of the result, or that
-- this write failed.
create table platform.audit (
  id text collate "C" not null primary key,
  recorded_at timestamptz not null,
  -- Null if the request had no session.
  actor_id text collate "C",
  action text collate "C" not null,
  subject text collate "C",
  ip text not null,
  request_id text collate "C" not null,
  -- 'attempted', 'success', or the code of the refusal or failure.
  result text collate "C" not null,
  -- The attempt to which this result belongs.
  attempt_id text collate "C",
  details jsonb not null,
  -- The row's number and hash in the hash chain. The number and the hash are null until the gateway
  -- worker sets them.
  position bigint unique check (position > 0),
  hash bytea check (octet_length(hash) = 32),
  constraint audit_attempt_check check (attempt_id is null or result <> 'attempted'),
  constraint audit_seal_check check ((position is null) = (hash is null))
);
create index audit_by_recorded_at on platform.audit (recorded_at desc, id desc);
create index audit_by_actor on platform.audit (actor_id, id desc);
create index audit_by_subject on platform.audit (subject, id desc) where subject is not null;
-- An attempt has at most one result.
create unique index audit_by_attempt on platform.audit (attempt_id) where attempt_id is not null;
create index audit_unsealed on platform.audit (id) where position is null;
revoke insert, update, delete on platform.audit from cairn_gateway;
grant insert (
  id, recorded_at, actor_id, action, subject, ip, request_id, result, attempt_id, details
) on platform.audit to cairn_gateway;
grant select, update (position, hash) on platform.audit to cairn_gateway_worker;

-- Rows cannot be changed or removed, even by the owner of the table. Only the two columns of the
-- seal can be set, once.
create function platform.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.position is null and new.position is not null
    and to_jsonb(new) - 'position' - 'hash' = to_jsonb(old) - 'position' - 'hash' then
    return new;
  end if;
  raise exception 'platform.audit is append-only' using errcode = 'restrict_violation';
end
$$;
create trigger audit_append_only before update or delete on platform.audit
  for each row execute function platform.refuse_change();
create trigger audit_no_truncate before truncate on platform.audit
  for each statement execute function platform.refuse_change();
-- `always` is needed, because a session could otherwise disable these triggers with
-- session_replication_role.
alter table platform.audit enable always trigger audit_append_only;
alter table platform.audit enable always trigger audit_no_truncate;

reset role;
