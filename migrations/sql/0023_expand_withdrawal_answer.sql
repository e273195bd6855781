-- scope: site
-- A withdrawal can be delayed or declined, as the page of the risks says. An answer that the operator
-- changed stays.

set role cairn_owner;

update platform.faq set updated_at = now(), answer =
  'You can request a withdrawal of your Wallet Balance, Investment Profit and Referral Earnings at any time, to a bank account that you added. The amount is held when you request it. A person checks the request, pays it to your bank account and then approves it. It can be delayed, or declined with a reason. An amount that you invested is due to you when the term of the plan ends, if the plan returns the principal.'
where id = '00000000000000000003' and answer =
  'At any time. You can withdraw your Wallet Balance, Investment Profit and Referral Earnings to a bank account that you added. The amount is held when you request it. A person checks the request, pays it to your bank account and then approves it. An amount that you invested is returned when the term of the plan ends, if the plan returns the principal.';

reset role;
