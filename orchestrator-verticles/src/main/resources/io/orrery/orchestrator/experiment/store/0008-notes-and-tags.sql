-- What users write about experiments and trials; trial is empty where the experiment itself is meant.
-- Apart from their rows, which their owner alone writes: a note may be written at any time, on any server.
create table annotations (
  experiment text not null,
  trial text not null,
  note text not null,
  changed_at bigint not null,
  primary key (experiment, trial)
);

create table annotation_tags (
  experiment text not null,
  trial text not null,
  tag text not null,
  primary key (experiment, trial, tag)
);

create index annotation_tags_by_tag on annotation_tags (experiment, tag, trial);
