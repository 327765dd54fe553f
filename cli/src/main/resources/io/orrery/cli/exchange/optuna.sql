-- The tables of Optuna's storage at its revision v3.2.0.a.
create table studies (study_id integer not null, study_name varchar(512) not null, primary key (study_id));
create unique index ix_studies_study_name on studies (study_name);
create table version_info (version_info_id integer not null,
  schema_version integer,
  library_version varchar(256),
  primary key (version_info_id),
  check (version_info_id=1));
create table study_directions (study_direction_id integer not null,
  direction varchar(8) not null,
  study_id integer not null,
  objective integer not null,
  primary key (study_direction_id),
  unique (study_id, objective),
  foreign key(study_id) references studies (study_id));
create table study_user_attributes (study_user_attribute_id integer not null,
  study_id integer,
  "key" varchar(512),
  value_json text,
  primary key (study_user_attribute_id),
  unique (study_id, "key"),
  foreign key(study_id) references studies (study_id));
create table study_system_attributes (study_system_attribute_id integer not null,
  study_id integer,
  "key" varchar(512),
  value_json text,
  primary key (study_system_attribute_id),
  unique (study_id, "key"),
  foreign key(study_id) references studies (study_id));
create table trials (trial_id integer not null,
  number integer,
  study_id integer,
  state varchar(8) not null,
  datetime_start datetime,
  datetime_complete datetime,
  primary key (trial_id),
  foreign key(study_id) references studies (study_id));
create index ix_trials_study_id on trials (study_id);
create table trial_user_attributes (trial_user_attribute_id integer not null,
  trial_id integer,
  "key" varchar(512),
  value_json text,
  primary key (trial_user_attribute_id),
  unique (trial_id, "key"),
  foreign key(trial_id) references trials (trial_id));
create table trial_system_attributes (trial_system_attribute_id integer not null,
  trial_id integer,
  "key" varchar(512),
  value_json text,
  primary key (trial_system_attribute_id),
  unique (trial_id, "key"),
  foreign key(trial_id) references trials (trial_id));
create table trial_params (param_id integer not null,
  trial_id integer,
  param_name varchar(512),
  param_value float,
  distribution_json text,
  primary key (param_id),
  unique (trial_id, param_name),
  foreign key(trial_id) references trials (trial_id));
create table trial_values (trial_value_id integer not null,
  trial_id integer not null,
  objective integer not null,
  value float,
  value_type varchar(7) not null,
  primary key (trial_value_id),
  unique (trial_id, objective),
  foreign key(trial_id) references trials (trial_id));
create table trial_intermediate_values (trial_intermediate_value_id integer not null,
  trial_id integer not null,
  step integer not null,
  intermediate_value float,
  intermediate_value_type varchar(7) not null,
  primary key (trial_intermediate_value_id),
  unique (trial_id, step),
  foreign key(trial_id) references trials (trial_id));
create table trial_heartbeats (trial_heartbeat_id integer not null,
  trial_id integer not null,
  heartbeat datetime not null,
  primary key (trial_heartbeat_id),
  unique (trial_id),
  foreign key(trial_id) references trials (trial_id));
create table alembic_version (version_num varchar(32) not null,
  constraint alembic_version_pkc primary key (version_num));
insert into version_info values (1, 12, '3.2.0');
insert into alembic_version values ('v3.2.0.a');
