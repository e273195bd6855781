-- scope: site
-- The order of payment and approval, and the names of the wallets and of the payment proof, in the
-- answers that the platform was delivered with. An answer that the operator changed stays.

set role cairn_owner;

update platform.faq set updated_at = now(), answer =
  'Create an account, confirm your email with the four-digit code, and deposit by one of the offered methods. When a person has checked your payment proof, the money is added to your Wallet Balance and you can choose a plan.'
where id = '00000000000000000001' and answer =
  'Create an account, confirm your e-mail with the four-digit code, and deposit by one of the offered methods. Once a person has checked your receipt, your balance grows and you can choose a plan.';

update platform.faq set updated_at = now(), answer =
  'At any time. You can withdraw your Wallet Balance, Investment Profit and Referral Earnings to a bank account that you added. The amount is held when you request it. A person checks the request, pays it to your bank account and then approves it. An amount that you invested is returned when the term of the plan ends, if the plan returns the principal.'
where id = '00000000000000000003' and answer =
  'At any time. You can withdraw your available balance, profit and referral earnings to a bank account that you added. The amount is held at once and paid after an administrator has approved the request. An amount that you invested is returned when the term of the plan ends, if the plan returns the principal.';

reset role;
