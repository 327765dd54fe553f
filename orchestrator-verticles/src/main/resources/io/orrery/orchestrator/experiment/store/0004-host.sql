-- The machine that the trials of an experiment run on, where its platform runs them beside the
-- server and servers share the store: none of another machine can manage them.
alter table experiments add column host text;
