-- Who may do what, before there is anything to do it to. Roles belong to the whole cluster and
-- outlive a database, so every step here may find its work already done.

do $$
declare
  role_name text;
begin
  -- Two databases of one cluster may be migrated at once; both would change the same role rows.
  begin
    lock table pg_catalog.pg_authid in share row exclusive mode;
  exception when insufficient_privilege then
    null;
  end;

  foreach role_name in array array[
    'cairn_owner', 'cairn_migrator', 'cairn_ledger', 'cairn_ledger_worker',
    'cairn_gateway', 'cairn_gateway_worker', 'cairn_auditor', 'cairn_backup'
  ] loop
    if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
    -- A migrating account without superuser must be a member to hand objects over.
    if not pg_catalog.pg_has_role(current_user, role_name, 'member') then
      execute format('grant %I to %I', role_name, current_user);
    end if;
  end loop;
end
$$;

grant cairn_owner to cairn_migrator;

-- A service that waits longer than this has lost its caller. The migrator and the backup may take
-- their time.
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

do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format(
    'grant connect on database %I to cairn_migrator, cairn_ledger, cairn_ledger_worker,'
    ' cairn_gateway, cairn_gateway_worker, cairn_auditor, cairn_backup', current_database());
  execute format('grant create on database %I to cairn_owner', current_database());
end
$$;
revoke all on schema public from public;

create schema ledger authorization cairn_owner;
create schema identity authorization cairn_owner;
create schema platform authorization cairn_owner;
-- pg-boss makes and upgrades its own tables, so each worker owns the schema it works in.
create schema ledger_jobs authorization cairn_ledger_worker;
create schema platform_jobs authorization cairn_gateway_worker;

grant usage on schema ledger to cairn_ledger, cairn_auditor, cairn_backup;
grant usage on schema identity to cairn_gateway, cairn_gateway_worker, cairn_backup;
grant usage on schema platform to cairn_gateway, cairn_gateway_worker, cairn_backup;
grant usage on schema ledger_jobs to cairn_backup;
grant usage on schema platform_jobs to cairn_backup;

-- On the ledger's tables the writing rights are given one by one, by the migration that makes them.
alter default privileges for role cairn_owner in schema ledger
  grant select on tables to cairn_ledger, cairn_auditor, cairn_backup;
alter default privileges for role cairn_owner in schema identity
  grant select, insert, update, delete on tables to cairn_gateway;
alter default privileges for role cairn_owner in schema platform
  grant select, insert, update, delete on tables to cairn_gateway;
alter default privileges for role cairn_owner in schema identity
  grant select on tables to cairn_backup;
alter default privileges for role cairn_owner in schema platform
  grant select on tables to cairn_backup;
alter default privileges for role cairn_ledger_worker in schema ledger_jobs
  grant select on tables to cairn_backup;
alter default privileges for role cairn_gateway_worker in schema platform_jobs
  grant select on tables to cairn_backup;
alter default privileges for role cairn_owner revoke execute on functions from public;

-- The runner's own records, so that the migrator can continue where a superuser began.
alter schema migrations owner to cairn_owner;
alter table migrations.applied owner to cairn_owner;
alter table migrations.applied_lock owner to cairn_owner;
alter table migrations.checksum owner to cairn_owner;
