-- scope: site
-- The layout of the lists that release 0.9.0 does not know. That release refuses `content` with the
-- name of such a list, and writes `content` without what it does not know.

set role cairn_owner;

alter table platform.preference add column further_tables jsonb not null default '{}';

reset role;
