-- What an experiment was given of earlier ones when it was created, as it was then: a search is a
-- function of it, so it never changes, whatever becomes of the earlier experiments.
create table experiment_sources (
  experiment text not null,
  place integer not null,
  source text not null,
  document text not null,
  primary key (experiment, place)
);
