-- What is written of a plan's new terms stands before the terms do. Where the gateway fell in between, it
-- belongs to terms that never came, and whoever changes the plan next takes it away.

set role cairn_owner;

grant delete on platform.plan_source to cairn_gateway;

-- What was approved was looked at by somebody, and stays.
create function platform.keep_approved_source() returns trigger language plpgsql as $$
begin
  if old.approved_by is not null then
    raise exception 'plan_source % of version % was approved and cannot be removed',
      old.plan_id, old.version;
  end if;
  return old;
end
$$;
create trigger plan_source_approved_stays before delete on platform.plan_source
  for each row execute function platform.keep_approved_source();

reset role;
