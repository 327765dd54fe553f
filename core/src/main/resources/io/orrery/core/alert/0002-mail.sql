-- The address of a mail; null for a request to a webhook. A row has one receiver: where it is a mail, webhook is empty.
-- A row about a schedule has, as its run, what schedules are called here: schedule:PIPELINE.
alter table run_alerts add column mail text;
