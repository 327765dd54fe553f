-- The places in the history of the parameter sets of a trial that has gone on from its first one:
-- such a trial stands in the history with its sets, every other one with its row.
-- What the sets are, and what came of them, is in parameter_sets of the trial; of several, the one
-- that its metric belongs to stands last there.
create table trial_sets (
  experiment text not null,
  trial text not null,
  place integer not null,
  suggested bigint not null,
  settled bigint,
  status text,
  primary key (experiment, trial, place)
);

create index trial_sets_by_suggested on trial_sets (experiment, suggested);

create index trial_sets_by_settled on trial_sets (experiment, settled);
