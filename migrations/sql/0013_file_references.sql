-- Which receipts a deposit refers to: what nothing refers to after a day is swept away.

set role cairn_owner;

alter table platform.file add column referenced_at timestamptz;
-- Whatever is there was uploaded before this was kept; none of it is swept.
update platform.file set referenced_at = created_at;

create index file_unreferenced on platform.file (created_at) where referenced_at is null;

grant select (id, owner_id, purpose, created_at, referenced_at, size_bytes), delete
  on platform.file to cairn_gateway_worker;
grant update (referenced_at) on platform.file to cairn_gateway_worker;
grant select (image_id) on platform.payment_option to cairn_gateway_worker;
grant select (file_id) on platform.attestation to cairn_gateway_worker;
grant select (photo_id) on identity.user to cairn_gateway_worker;

reset role;
