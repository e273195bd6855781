-- scope: site
-- The announcements that administrators send to people who asked for them, and the mails of them
-- that are not yet queued.

set role cairn_owner;

create table platform.announcement (
  id text collate "C" not null,
  kind text collate "C" not null,
  subject text not null,
  body text not null,
  sent_by text collate "C" not null,
  sent_at timestamptz not null,
  -- The number of people to whom it was sent. Their ids are not kept.
  recipients int not null,
  constraint announcement_pkey primary key (id),
  constraint announcement_kind_check check (kind in ('promotional-offer', 'market-update')),
  constraint announcement_subject_check check (length(subject) between 1 and 200),
  constraint announcement_body_check check (length(body) between 1 and 5000),
  constraint announcement_recipients_check check (recipients > 0)
);
-- Only a limited number of announcements is sent in a day, so the newest of a kind is looked up.
create index announcement_by_kind on platform.announcement (kind, sent_at desc);
-- An announcement cannot be taken back, so its row is never changed.
revoke update, delete on platform.announcement from cairn_gateway;
grant select on platform.announcement to cairn_gateway_worker;

create table platform.announcement_mail (
  announcement_id text collate "C" not null,
  user_id text collate "C" not null,
  constraint announcement_mail_pkey primary key (announcement_id, user_id),
  constraint announcement_mail_announcement_id_fkey
    foreign key (announcement_id) references platform.announcement (id)
);
create index announcement_mail_by_user on platform.announcement_mail (user_id);
grant select, delete on platform.announcement_mail to cairn_gateway_worker;

-- The mail of an announcement is recorded before it is sent. If the mail server refuses it, the
-- worker deletes the record and tries again.
grant delete on platform.mail_delivery to cairn_gateway_worker;

reset role;
