-- Which warning an investor accepted before investing, in the words it had then.

set role cairn_owner;

create table platform.risk_text (
  version text collate "C" primary key check (version ~ '^[0-9a-f]{16}$'),
  text text not null check (length(text) between 1 and 600)
);

create table platform.risk_acceptance (
  -- The investment may never have come about: what is accepted stands before it is asked for.
  investment_id text collate "C" primary key,
  user_id text collate "C" not null,
  version text collate "C" not null references platform.risk_text (version),
  country text not null,
  accepted_at timestamptz not null
);

revoke update, delete on platform.risk_text, platform.risk_acceptance from cairn_gateway;

reset role;
