-- Experiments of which everything before a segment is being deleted. A row is there from before the log forgets that it was asked
-- for until the last bit is gone: so a deletion goes on after a crash.
create table metric_deletion (
  experiment text not null primary key,
  upto bigint not null
);

-- The segment that the row is of: what is known of an attempt of before a deletion is nothing to one that comes after.
alter table metric_attempt add column segment bigint not null default 0;
