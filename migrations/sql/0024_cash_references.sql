-- A line of a bank statement finds the movement that it names, however many have its amount.

set role cairn_owner;

create index cash_movement_by_reference on platform.cash_movement (option, reference);
create index cash_movement_by_payout_word on platform.cash_movement (option, payout_word)
  where payout_word is not null;

reset role;
