-- When each environment was chosen last for something that is to run, within the hour.
create table environment_choices (
  project text not null,
  digest text not null,
  at bigint not null,
  primary key (project, digest)
);
