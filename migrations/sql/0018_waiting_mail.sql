-- How long the oldest mail has waited is read whenever somebody looks.

set role cairn_owner;

create index outbox_unsent on identity.outbox (created_at) where sent_at is null and sealed is not null;

reset role;
