-- What banks say of the operator's accounts, line by line, beside what the books say of them.

set role cairn_owner;

-- What moved on each cash account, from the postings, as the bank would see it: in is positive.
create table platform.cash_movement (
  option text collate "C" not null,
  seq bigint not null check (seq >= 0),
  type text collate "C" not null,
  amount_minor bigint not null check (amount_minor <> 0),
  effective_on date not null,
  -- The transaction's own reference, and the one that the payer's bank gave.
  reference text collate "C",
  payout_word text collate "C",
  primary key (option, seq)
);
create index cash_movement_by_amount
  on platform.cash_movement (option, amount_minor, effective_on, seq);
create index cash_movement_by_day
  on platform.cash_movement (option, effective_on, seq) include (amount_minor);

create table platform.bank_statement (
  id text collate "C" not null primary key,
  option text collate "C" not null,
  file_sha256 text collate "C" not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  first_on date not null,
  last_on date not null check (last_on >= first_on),
  -- Null where the file has no column of balances.
  opening_minor bigint,
  closing_minor bigint,
  lines int not null check (lines between 1 and 5000),
  lines_added int not null check (lines_added between 0 and lines),
  imported_by text collate "C" not null,
  imported_at timestamptz not null,
  constraint bank_statement_balance_check check ((opening_minor is null) = (closing_minor is null))
);
create index bank_statement_by_option on platform.bank_statement (option, last_on desc, id desc);

create table platform.bank_line (
  id text collate "C" not null primary key,
  statement_id text collate "C" not null references platform.bank_statement (id),
  option text collate "C" not null,
  booked_on date not null,
  amount_minor bigint not null check (amount_minor <> 0),
  reference text not null check (length(reference) <= 500),
  -- Its words as a reference is written: capitals and digits.
  words text[] not null,
  line_hash text collate "C" not null check (line_hash ~ '^[0-9a-f]{64}$'),
  -- A statement that overlaps an earlier one adds only what is new.
  constraint bank_line_hash_key unique (option, line_hash)
);
create index bank_line_by_day on platform.bank_line (option, booked_on desc, id desc);
create index bank_line_by_amount on platform.bank_line (option, amount_minor, booked_on, id);

-- One line and one movement that are the same money.
create table platform.bank_match (
  line_id text collate "C" not null primary key references platform.bank_line (id),
  option text collate "C" not null,
  seq bigint not null,
  -- Null: found by reference, or by amount and day.
  matched_by text collate "C",
  reason text check (length(reason) between 1 and 500),
  matched_at timestamptz not null,
  constraint bank_match_movement_key unique (option, seq),
  constraint bank_match_movement_fkey foreign key (option, seq)
    references platform.cash_movement (option, seq),
  constraint bank_match_person_check check ((matched_by is null) = (reason is null))
);

-- What a bank said, and what the books moved, is never edited; a match can be taken back.
revoke insert, update, delete on platform.cash_movement from cairn_gateway;
revoke update, delete on platform.bank_statement, platform.bank_line from cairn_gateway;
revoke update on platform.bank_match from cairn_gateway;
grant select, insert on platform.cash_movement to cairn_gateway_worker;

reset role;
