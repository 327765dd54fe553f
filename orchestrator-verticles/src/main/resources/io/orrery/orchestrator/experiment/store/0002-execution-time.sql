-- When ran_ms was right, if the experiment has been running since.
alter table experiments add column counted_at bigint;
