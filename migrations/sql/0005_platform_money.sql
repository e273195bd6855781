-- The tables of the gateway about money: bank accounts, payment options, deposits and bank
-- statements. Balances are stored in the ledger.

set role cairn_owner;

-- Bank accounts of investors

create table platform.bank_account (
  id text collate "C" not null primary key,
  user_id text collate "C" not null,
  label text,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  account_type text not null check (
    account_type in ('savings Account', 'Current Account', 'Fix Deposit Account', 'Others')
  ),
  -- A random salt, so that the details cannot be guessed from their hash. The events of withdrawals
  -- contain this hash.
  hash_salt bytea not null check (octet_length(hash_salt) = 16),
  is_default boolean not null default false,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time from which withdrawals to the account are accepted. Null until the account is
  -- confirmed.
  usable_from timestamptz,
  archived_at timestamptz,
  constraint bank_account_cooling_check check (usable_from is null or confirmed_at is not null)
);
create index bank_account_by_user on platform.bank_account (user_id, created_at);
create unique index bank_account_default on platform.bank_account (user_id)
  where is_default and archived_at is null;

-- The hash of the code that confirms a new bank account.
create table platform.bank_code (
  account_id text collate "C" not null primary key references platform.bank_account (id),
  code_hmac bytea not null check (octet_length(code_hmac) = 32),
  tries int not null default 0 check (tries between 0 and 5),
  expires_at timestamptz not null,
  sent_at timestamptz not null
);

-- Payment options of the operator

create table platform.payment_option (
  id text collate "C" not null primary key,
  pay_option text not null check (pay_option in ('Bank Transfer', 'Mobile Wallet', 'Crypto Wallet')),
  bank text not null,
  account_number text not null,
  image_id text collate "C" references platform.file (id),
  extra text,
  -- The URL of a page that shows a payment in a coin. {hash} is replaced by the hash of the
  -- payment.
  explorer_url text check (explorer_url like 'https://%{hash}%' and length(explorer_url) <= 300),
  is_visible boolean not null,
  created_at timestamptz not null,
  archived_at timestamptz
);
grant select (image_id) on platform.payment_option to cairn_gateway_worker;

-- All versions of the account details of each option, so that a deposit can show the details that
-- were valid when it was requested.
create table platform.payment_option_version (
  payment_option_id text collate "C" not null references platform.payment_option (id),
  valid_from timestamptz not null,
  bank text not null,
  account_number text not null,
  extra text,
  primary key (payment_option_id, valid_from)
);
revoke update, delete on platform.payment_option_version from cairn_gateway;

-- A trigger writes the versions, so that an option cannot be changed without a new version.
create function platform.keep_payment_option_version() returns trigger language plpgsql as $$
begin
  insert into platform.payment_option_version (payment_option_id, valid_from, bank, account_number, extra)
  values (new.id, case tg_op when 'INSERT' then new.created_at else clock_timestamp() end,
    new.bank, new.account_number, new.extra);
  return null;
end
$$;
grant execute on function platform.keep_payment_option_version() to cairn_gateway;
create trigger payment_option_added after insert on platform.payment_option
  for each row execute function platform.keep_payment_option_version();
create trigger payment_option_led_elsewhere after update on platform.payment_option
  for each row when ((old.bank, old.account_number, old.extra)
    is distinct from (new.bank, new.account_number, new.extra))
  execute function platform.keep_payment_option_version();

-- Deposits

-- References that investors quote in a transfer. A reference is issued before the deposit is
-- requested, and determines the id, the payer and the option of the deposit. A reference stays
-- valid until it is used, because a transfer may take days.
create table platform.deposit_reference (
  transaction_id text collate "C" not null primary key,
  reference text collate "C" not null unique,
  user_id text collate "C" not null,
  payment_option_id text collate "C" not null references platform.payment_option (id),
  issued_at timestamptz not null,
  used_at timestamptz
);
create unique index deposit_reference_open on platform.deposit_reference (user_id, payment_option_id)
  where used_at is null;

-- The hash of a payment in a coin. The hash is stored before the deposit is requested, so there may
-- be no deposit for it.
create table platform.deposit_hash (
  transaction_id text collate "C" not null primary key,
  user_id text collate "C" not null,
  hash text collate "C" not null check (length(hash) between 1 and 128),
  created_at timestamptz not null
);
create index deposit_hash_by_hash on platform.deposit_hash (hash);

-- Plans and investments

-- The source of return of plans whose annual rate is above the limit in the settings. It is stored
-- before the ledger records the terms. If the ledger refuses the terms, the next change to the plan
-- deletes the row.
create table platform.plan_source (
  plan_id text collate "C" not null,
  -- The version of the plan's terms.
  version int not null check (version > 0),
  -- Null if the plan was created through the API without a source. The pages mark such a plan.
  text text check (length(text) between 1 and 1000),
  stated_by text collate "C" not null,
  stated_at timestamptz not null,
  approved_by text collate "C" check (approved_by <> stated_by),
  approved_at timestamptz,
  primary key (plan_id, version),
  constraint plan_source_approval_check check ((approved_by is null) = (approved_at is null))
);
revoke update on platform.plan_source from cairn_gateway;

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

-- The texts of the risk warning. The version is a hash of the text.
create table platform.risk_text (
  version text collate "C" primary key check (version ~ '^[0-9a-f]{16}$'),
  text text not null check (length(text) between 1 and 600)
);

-- The warnings that investors accepted. A row is stored before the investment is requested. If no
-- investment follows, the worker deletes the row after a month.
create table platform.risk_acceptance (
  investment_id text collate "C" primary key,
  user_id text collate "C" not null,
  version text collate "C" not null references platform.risk_text (version),
  country text not null,
  accepted_at timestamptz not null,
  -- The time at which the worker found the recorded investment. A row with this time is never
  -- deleted.
  used_at timestamptz
);
create index risk_acceptance_unused on platform.risk_acceptance (accepted_at) where used_at is null;
revoke update, delete on platform.risk_text, platform.risk_acceptance from cairn_gateway;
grant select (investment_id, user_id, accepted_at, used_at), update (used_at), delete
  on platform.risk_acceptance to cairn_gateway_worker;

-- Bank reconciliation

-- The movements of each cash account, copied from the postings. Incoming money is positive.
create table platform.cash_movement (
  option text collate "C" not null,
  seq bigint not null check (seq >= 0),
  type text collate "C" not null,
  amount_minor bigint not null check (amount_minor <> 0),
  effective_on date not null,
  -- The reference of the transaction, and the reference of its payout at the bank.
  reference text collate "C",
  payout_word text collate "C",
  primary key (option, seq)
);
create index cash_movement_by_amount
  on platform.cash_movement (option, amount_minor, effective_on, seq);
create index cash_movement_by_day
  on platform.cash_movement (option, effective_on, seq) include (amount_minor);
-- Finds the movement that a bank line names, because many movements can have the same amount.
create index cash_movement_by_reference on platform.cash_movement (option, reference);
create index cash_movement_by_payout_word on platform.cash_movement (option, payout_word)
  where payout_word is not null;
revoke insert, update, delete on platform.cash_movement from cairn_gateway;
grant select, insert on platform.cash_movement to cairn_gateway_worker;

create table platform.bank_statement (
  id text collate "C" not null primary key,
  option text collate "C" not null,
  file_sha256 text collate "C" not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  first_on date not null,
  last_on date not null check (last_on >= first_on),
  -- Null if the imported file has no column of balances.
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
  -- The words of the line's text that could be a reference, in capital letters and digits.
  words text[] not null,
  line_hash text collate "C" not null check (line_hash ~ '^[0-9a-f]{64}$'),
  -- If two statements overlap, the second statement adds only new lines.
  constraint bank_line_hash_key unique (option, line_hash)
);
create index bank_line_by_day on platform.bank_line (option, booked_on desc, id desc);
create index bank_line_by_amount on platform.bank_line (option, amount_minor, booked_on, id);

-- A match of a bank line and a movement, which are the same payment. A match can be removed but not
-- changed.
create table platform.bank_match (
  line_id text collate "C" not null primary key references platform.bank_line (id),
  option text collate "C" not null,
  seq bigint not null,
  -- Null if the match was made automatically, by reference or by amount and day.
  matched_by text collate "C",
  reason text check (length(reason) between 1 and 500),
  matched_at timestamptz not null,
  constraint bank_match_movement_key unique (option, seq),
  constraint bank_match_movement_fkey foreign key (option, seq)
    references platform.cash_movement (option, seq),
  constraint bank_match_person_check check ((matched_by is null) = (reason is null))
);
revoke update, delete on platform.bank_statement, platform.bank_line from cairn_gateway;
revoke update on platform.bank_match from cairn_gateway;

-- The operator's balance at its bank on a day. One administrator enters the balance, and a second
-- administrator confirms it.
create table platform.attestation (
  id text collate "C" not null primary key,
  as_of date not null,
  assets_minor bigint not null check (assets_minor >= 0),
  note text,
  file_id text collate "C" not null references platform.file (id),
  file_sha256 text collate "C" not null,
  made_by text collate "C" not null,
  made_at timestamptz not null,
  confirmed_by text collate "C" not null,
  confirmed_at timestamptz not null,
  constraint attestation_two_people check (confirmed_by <> made_by)
);
create index attestation_by_time on platform.attestation (as_of desc, id desc);
revoke update, delete on platform.attestation from cairn_gateway;
grant select (file_id) on platform.attestation to cairn_gateway_worker;

reset role;
