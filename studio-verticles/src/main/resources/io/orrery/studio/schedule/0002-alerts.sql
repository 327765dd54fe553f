-- What is told of due runs, and to whom, as JSON; null for nothing.
alter table schedules add column alerts text;
