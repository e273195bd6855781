-- Where the return of a plan above the set annual rate comes from, in writing, and who let it be sold.

set role cairn_owner;

create table platform.plan_source (
  plan_id text collate "C" not null,
  -- Of the terms that it was written for.
  version int not null check (version > 0),
  -- Null: the plan came by the API without one, and is flagged.
  text text check (length(text) between 1 and 1000),
  -- While it waits for a second administrator the plan is not on offer.
  needs_approval boolean not null,
  stated_by text collate "C" not null,
  stated_at timestamptz not null,
  approved_by text collate "C" check (approved_by <> stated_by),
  approved_at timestamptz,
  primary key (plan_id, version),
  constraint plan_source_approval_check check ((approved_by is null) = (approved_at is null))
);

revoke update, delete on platform.plan_source from cairn_gateway;
grant update (approved_by, approved_at) on platform.plan_source to cairn_gateway;

reset role;
