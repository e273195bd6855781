-- Roles and their limits, the rights on the database, the schemas of the job queues, and the
-- records of the migration runner. Roles belong to the whole cluster, so each statement about a
-- role must also succeed if another database has already created that role.

-- cairn_owner owns every table and function, and cannot log in. cairn_migrator runs the migrations
-- and may become cairn_owner. cairn_ledger is the role of the ledger service. Only this role writes
-- to the schema ledger. cairn_ledger_worker is the role of the ledger worker, which owns the
-- ledger's job queue. cairn_gateway is the role of the gateway. This role reads and writes the
-- schemas platform and identity. cairn_gateway_worker is the role of the gateway worker, which owns
-- the gateway's job queue. This role has rights only on the columns that its jobs use.
-- cairn_auditor reads the schema ledger and nothing else. cairn_backup reads every table of the
-- services except the encryption keys of the users. cairn_key_backup reads these keys and the list
-- of users whose data was erased.
do $$
declare
  role_name text;
begin
  -- Locks the roles, because two databases of one cluster may be migrated at the same time. If the
  -- account has no right to lock, the migration continues without the lock.
  begin
    lock table pg_catalog.pg_authid in share row exclusive mode;
  exception when insufficient_privilege then
    null;
  end;

  foreach role_name in array array[
    'cairn_owner', 'cairn_migrator', 'cairn_ledger', 'cairn_ledger_worker',
    'cairn_gateway', 'cairn_gateway_worker', 'cairn_auditor', 'cairn_backup', 'cairn_key_backup'
  ] loop
    if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
    -- An account that is not a superuser can make a role the owner of an object only as a member of
    -- the role.
    if not pg_catalog.pg_has_role(current_user, role_name, 'member') then
      execute format('grant %I to %I', role_name, current_user);
    end if;
  end loop;
end
$$;

grant cairn_owner to cairn_migrator;

-- A service must not hold a statement or a lock after its caller has given up. The migrator and the
-- backup have no limits, because their statements may take minutes.
alter role cairn_ledger set statement_timeout = '5s';
alter role cairn_ledger set lock_timeout = '2s';
alter role cairn_ledger set idle_in_transaction_session_timeout = '10s';
alter role cairn_gateway set statement_timeout = '5s';
alter role cairn_gateway set lock_timeout = '2s';
alter role cairn_gateway set idle_in_transaction_session_timeout = '10s';
alter role cairn_ledger_worker set statement_timeout = '30s';
alter role cairn_ledger_worker set lock_timeout = '10s';
alter role cairn_ledger_worker set idle_in_transaction_session_timeout = '30s';
alter role cairn_gateway_worker set statement_timeout = '30s';
alter role cairn_gateway_worker set lock_timeout = '10s';
alter role cairn_gateway_worker set idle_in_transaction_session_timeout = '30s';
alter role cairn_auditor set statement_timeout = '60s';
alter role cairn_auditor set default_transaction_read_only = on;
alter role cairn_backup set default_transaction_read_only = on;
alter role cairn_key_backup set default_transaction_read_only = on;

-- The statements of the services read or write few rows. Just-in-time compilation would take longer
-- than the statements themselves.
alter role cairn_ledger set jit = off;
alter role cairn_gateway set jit = off;
alter role cairn_ledger_worker set jit = off;
alter role cairn_gateway_worker set jit = off;

do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format(
    'grant connect on database %I to cairn_migrator, cairn_ledger, cairn_ledger_worker,'
    ' cairn_gateway, cairn_gateway_worker, cairn_auditor, cairn_backup, cairn_key_backup',
    current_database());
  execute format('grant create on database %I to cairn_owner', current_database());
end
$$;
revoke all on schema public from public;

-- A function may be called only by the roles to which a migration grants the right.
alter default privileges for role cairn_owner revoke execute on functions from public;

-- pg-boss creates and upgrades its own tables, so each worker owns the schema of its queue.
create schema ledger_jobs authorization cairn_ledger_worker;
create schema platform_jobs authorization cairn_gateway_worker;
grant usage on schema ledger_jobs, platform_jobs to cairn_backup;
alter default privileges for role cairn_ledger_worker in schema ledger_jobs
  grant select on tables to cairn_backup;
alter default privileges for role cairn_gateway_worker in schema platform_jobs
  grant select on tables to cairn_backup;

-- The records of the runner belong to cairn_owner, so that cairn_migrator can also migrate a
-- database that a superuser created.
alter schema migrations owner to cairn_owner;
alter table migrations.applied owner to cairn_owner;
alter table migrations.applied_lock owner to cairn_owner;
alter table migrations.checksum owner to cairn_owner;

-- `pg_dump` fails without the right to read every table, because it locks all tables first.
grant usage on schema migrations to cairn_backup;
grant select on all tables in schema migrations to cairn_backup;
