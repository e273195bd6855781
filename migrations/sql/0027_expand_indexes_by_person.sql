-- scope: site
-- Deletion of a person, the sweep of files and the audit log search these columns. Without an index
-- they read whole tables, and at millions of rows they reach the time limit of a statement.
--
-- The index outbox_done is for the daily removal of old mails, which the worker may do now.

set role cairn_owner;

create index outbox_by_user on identity.outbox (user_id);
create index outbox_done on identity.outbox (created_at) where sealed is null;
create index hold_request_by_user on identity.hold_request (user_id);
create index user_by_photo on identity.user (photo_id) where photo_id is not null;
create index deposit_reference_by_user on platform.deposit_reference (user_id);
create index deposit_hash_by_user on platform.deposit_hash (user_id);
create index risk_acceptance_by_user on platform.risk_acceptance (user_id);
create index contact_message_by_email on platform.contact_message (email);
create index audit_by_action on platform.audit (action text_pattern_ops, id desc);

grant delete on identity.outbox to cairn_gateway_worker;

reset role;
