-- The content that the operator shows on the public pages.

set role cairn_owner;

create table platform.faq (
  id text collate "C" not null primary key,
  question text not null check (length(question) between 1 and 300),
  answer text not null check (length(answer) between 1 and 5000),
  position int not null,
  is_visible boolean not null,
  updated_at timestamptz not null
);
insert into platform.faq (id, question, answer, position, is_visible, updated_at) values
  ('00000000000000000001', 'How do I start?',
   'Create an account, confirm your e-mail with the four-digit code, and deposit by one of the offered methods. Once a person has checked your receipt, your balance grows and you can choose a plan.',
   1, true, now()),
  ('00000000000000000002', 'Is my profit guaranteed?',
   'No. Each plan states its profit before you pay, and the operator promises it from its own reserve. The reserve may hold less than all it has promised. You can lose all the money you invest.',
   2, true, now()),
  ('00000000000000000003', 'When can I withdraw?',
   'At any time. You can withdraw your available balance, profit and referral earnings to a bank account that you added. The amount is held at once and paid after an administrator has approved the request. An amount that you invested is returned when the term of the plan ends, if the plan returns the principal.',
   3, true, now());

-- Testimonials and sponsors. Each row states where the person or the company agreed to be named.
create table platform.endorsement (
  id text collate "C" not null primary key,
  kind text not null check (kind in ('testimonial', 'sponsor')),
  name text not null check (length(name) between 1 and 120),
  role text check (length(role) between 1 and 120),
  quote text check (length(quote) between 1 and 600),
  consent text not null check (length(consent) between 10 and 500),
  is_paid boolean not null,
  position int not null,
  is_visible boolean not null,
  updated_at timestamptz not null,
  constraint endorsement_quote check ((kind = 'testimonial') = (quote is not null))
);

-- Statements that the operator makes in public. Values that the platform measures are not stored
-- here.
create table platform.claim (
  key text collate "C" not null primary key,
  content jsonb not null,
  stated_by text collate "C" not null,
  stated_at timestamptz not null,
  approved_by text collate "C" not null,
  approved_at timestamptz not null,
  constraint claim_two_people check (approved_by <> stated_by)
);

reset role;
