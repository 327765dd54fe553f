-- How many trials failed one after the other, so that a new owner of an experiment goes on counting. What earlier versions
-- have left begins at zero.
alter table experiments add column failures_in_row bigint not null default 0;
